"""No live token of a campaign is relayed, shown or put on record, whatever form it has."""

from __future__ import annotations

import json
import quopri
from collections.abc import Callable

import pytest

from pbem.campaign.guard import HoldsSecret, holds_secret, without_secrets
from pbem.campaign.service import Service
from pbem.campaign.submissions import Submission
from pbem.campaign.vault import CUT, may_hold_token, token_hash, without_tokens
from tests import toy
from tests.campaign.conftest import Desk

TOKEN = "abcdefghijklmnopqrstuvwxyz234567"
HASHES = {token_hash(TOKEN)}

FORMS = [
    TOKEN,
    TOKEN.upper(),
    f"game+{TOKEN}@pbem.example",
    f"https://pbem.example/c/game/enter/{TOKEN}",
    f"x{TOKEN}y",
    f"{TOKEN[:20]}\n{TOKEN[20:]}",
    f"{TOKEN[:20]}=\r\n{TOKEN[20:]}",
    " ".join(TOKEN),
    "-".join(TOKEN[at : at + 4] for at in range(0, 32, 4)),
    f"*{TOKEN[:9]}*{TOKEN[9:]}",
    "".join(f"%{ord(sign):02x}" for sign in TOKEN),
    "".join(f"&#{ord(sign)};" for sign in TOKEN),
    "".join(f"={ord(sign):02X}" for sign in TOKEN),
    "".join(chr(ord(sign) + 0xFEE0) for sign in TOKEN),
    quopri.encodestring(f"é game+{TOKEN}@pbem.example and so on, until the line is broken".encode()).decode(),
]


@pytest.mark.parametrize("form", FORMS)
def test_a_token_is_found_in_any_form(form: str) -> None:
    text = f"Shall we ally?\n{form}\nyours"
    assert holds_secret(text, HASHES)
    cut = without_secrets(text.split("\n"), HASHES)
    assert len(cut) == len(text.split("\n")) and not holds_secret("\n".join(cut), HASHES)
    assert any(CUT in line for line in cut)


def test_what_is_no_token_stays() -> None:
    lines = ["PRESS TO france: " + "shall we ally " * 200, TOKEN[:-1], TOKEN[1:] + "x", "a" * 40]
    assert without_secrets(lines, HASHES) == lines
    assert without_secrets([f"a {TOKEN} b", "c"], HASHES) == [f"a {CUT} b", "c"]
    assert without_secrets([TOKEN[:5], TOKEN[5:]], HASHES) == [CUT, CUT]


@pytest.mark.parametrize(
    "line", ["PRESS TO {other}: I am at {token}", "STANDING talk: {token}", "SALT {token}", "{token}"]
)
def test_a_submission_with_a_token_is_refused_and_the_token_not_kept(
    desk: Callable[..., Desk], service: Service, line: str
) -> None:
    campaign = desk().start().id
    first, second = list(service.status(campaign).seats)[:2]
    token = service.token_of(campaign, first)
    other = service.status(campaign).seats[second]["powers"][0]
    before = len(service.events(campaign, None))
    answer = service.submit(
        Submission(campaign, ["STATUS", line.format(other=other, token=token)], service.clock.now(), seat=second)
    )
    assert [result.state for result in answer.lines] == ["told", "refused"]
    assert "secret" in answer.lines[1].reason
    assert token not in str(answer.to_json()) and token not in str(service.inbox(campaign))
    assert len(service.events(campaign, None)) == before


def test_a_moderators_texts_hold_no_token(desk: Callable[..., Desk], service: Service) -> None:
    campaign = desk().start().id
    token = service.token_of(campaign, next(iter(service.status(campaign).seats)))
    reason = f"see campaign+{token}@example.org"
    for act in (
        lambda: service.pause(campaign, reason),
        lambda: service.extend(campaign, 5, reason),
        lambda: service.disclose(campaign, reason),
        lambda: service.finish(campaign, reason),
        lambda: service.create("toy", 2, kit=toy.kit(), title=reason),
    ):
        with pytest.raises(HoldsSecret):
            act()
    assert token not in str(service.events(campaign, None))


@pytest.mark.parametrize("token", ["abcdefghijklmnopqrstuvwxyz234567", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"])
@pytest.mark.parametrize("form", ["{}", "PRESS TO all:\n{}", "“{}”", "x+{}@example.org", "é{}é", "/enter/{}", "\t{}\\"])
def test_no_answer_that_holds_a_token_is_kept_because_nothing_was_looked_for(form, token):
    answer = {"lines": [{"line": form.format(token), "hints": [token]}]}
    assert may_hold_token(json.dumps(answer, ensure_ascii=False)) and token not in repr(without_tokens(answer))
    assert may_hold_token(json.dumps({"text": "see /enter/abc9"})) and "abc9" not in without_tokens("see /enter/abc9")
    assert not may_hold_token(json.dumps({"head": "0189" * 16, "line": "BUILD navy AT baltic, " * 9}))
