"""Whatever is sent to the API and to the forms of the desk gets an answer that is no fault of the program."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from pbem.campaign.moderators import Moderators
from pbem.web.actions import ACTIONS
from pbem.web.security import limiter
from tests import toy
from tests.web.conftest import Site, csrf_of

FEW = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
"""Requests of each operation: all of it takes some twenty seconds."""
HOSTILE = (
    "", "a\0b", "\ud800", "\\ud800", "x" * 70_000, "0", "-1", "99999999999999999999", "9" * 5_000, "1e400", "NaN", "²",
    "' OR 1=1 --", "a\r\nBcc: x@y.example", "{}", "null", "[" * 3_000, '"\\ud800"', '[{"fact": "count"}]', "seat1",
    '[{"fact": "state", "name": "x", "after": "\\ud800"}]', "%00",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_CONFIG", str(toy.write_kit(folder / "config")))
        yield from _site(folder)


def _site(folder: Path) -> Iterator[Site]:
    made = Site(folder / "var").start().play(1, 6)
    accounts = Moderators(made.service.store)
    accounts.add("anna", "a long password", made.clock.now(), admin=True)
    accounts.add("bob", "a long password", made.clock.now())
    made.moderator = accounts.new_token("anna")
    limiter.enabled = False
    yield made
    limiter.enabled = True
    made.service.close()


def test_no_request_of_the_description_is_a_fault(site: Site) -> None:
    described = schemathesis.openapi.from_wsgi("/api/openapi.json", site.app)
    number = itertools.count()

    def ask(case: Any) -> None:
        if next(number) % 3 and "campaign" in case.path_parameters:
            case.path_parameters["campaign"] = site.id  # else hardly any gets beyond the door
        token = site.moderator if "/desk/" in case.path else site.tokens["seat1"]
        answer = case.call(headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code < 500, (case.as_curl_command(), answer.text)
        met.add(answer.status_code)

    operations = [found.ok() for found in described.get_all_operations()]
    assert len(operations) > 40
    met: set[int] = set()
    # What ends the campaign comes last: before it there is more to be had.
    for operation in sorted(operations, key=lambda one: one.path.endswith(("/finish", "/archive", "/start"))):
        FEW(given(case=operation.as_strategy())(ask))()
    assert {200, 404, 422} <= met


def desk_forms(site: Site) -> list[tuple[str, dict[str, str]]]:
    """The forms of the desk: where each goes, and good values for it."""
    campaign = f"/desk/c/{site.id}"
    person = {"seat": "seat1", "name": "Ada", "address": "ada@example.net", "language": "en", "timezone": "UTC"}
    values = {"invite": person, "replace": {**person, "reason": "r"}, "extend": {"hours": "3", "reason": "r"},
              "assign": {"power.seat1": "red"}}  # fmt: skip
    ruling = {"facts": "[]", "reason": "r", "what": "gold", "thing": "count|gold|red", "number": "1", "value": "1",
              "from": "x", "to": "y", "tried": "x"}  # fmt: skip
    steps = ("choose", "add", "drop-0", "drop-none", "try", "do")
    names = [name for name in ACTIONS if name not in ("archive", "finish")]
    forms = [(f"{campaign}/do/{name}", values.get(name, {"reason": "r"})) for name in names]
    forms += [(f"{campaign}/ruling", {**ruling, "do": step}) for step in steps]
    return [
        *forms, (f"{campaign}/rewind", {"event": "5", "reason": "r"}), (f"{campaign}/kit", {"reason": "r"}),
        (f"{campaign}/hidden", {"event": "5", "what": "event", "reason": "r"}),
        (f"{campaign}/inbox/1", {"reason": "r", "do": "download"}), (f"{campaign}/outbox/1/retry", {}),
        (f"{campaign}/moderators", {"moderator": "bob", "do": "leave"}),
        (f"{campaign}/moderators", {"moderator": "bob"}),
        ("/desk/new", {"game": "struggle_of_empires", "seats": "3", "title": "t", "campaign": "c", "scenario": "s",
                       "hours.default": "3", "grace_hours": "1", "extensions": "1", "extension_hours": "1",
                       "reminders": "24", "missed": "hold", "then": "pause", "answers": "able", "press": "never",
                       "spectators": "no"}),
        ("/desk/login", {"name": "anna", "password": "p", "back": "/desk/"}), ("/desk/login/link", {"who": "anna"}),
        ("/desk/account/password", {"old": "o", "new": "n"}), ("/link", {"address": "a@b.example"}),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def moderator(site: Site) -> Any:
    client = site.app.test_client()
    token = csrf_of(client, "/desk/login")
    sent = {"name": "anna", "password": "a long password", "csrf_token": token}
    assert client.post("/desk/login", data=sent).status_code == 303
    return client


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_no_field_of_a_form_is_a_fault(site: Site, moderator: Any, value: str) -> None:
    token = csrf_of(moderator, "/desk/account")
    encoded = value.encode("utf-8", "surrogatepass")
    for address, good in desk_forms(site):
        sent = {name: held if name == "do" or (name == "facts" and good["do"].startswith("add")) else encoded
                for name, held in good.items()}  # fmt: skip
        answer = moderator.post(address, data={**sent, "csrf_token": token})
        assert answer.status_code < 500, (address, sent)


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_no_address_is_a_fault(site: Site, moderator: Any, value: str) -> None:
    quoted = quote(value.encode("utf-8", "surrogatepass"), safe="")[:2_000]
    campaign = site.url()
    seat = site.client("seat1")
    for client, path in (
        (seat, f"/?page={quoted}"), (seat, f"{campaign}/ledger?page={quoted}"), (seat, f"{campaign}/ledger/{quoted}"),
        (seat, f"{campaign}/ledger/go?number={quoted}"), (seat, f"{campaign}/seat?answer={quoted}"),
        (seat, f"{campaign}/board/{quoted}.svg"), (seat, f"{campaign}/board/1.svg?changed={quoted}"),
        (seat, f"{campaign}/rolls/{quoted}/{quoted}"), (seat, f"{campaign}/rolls/0/{quoted}"), (seat, f"/c/{quoted}"),
        (seat, f"/c/{quoted}/enter/{quoted}"), (seat, f"/games/{quoted}/orders"), (seat, f"/games/{quoted}/kit"),
        (moderator, f"/desk/?search={quoted}&state={quoted}&sort={quoted}&page={quoted}"),
        (moderator, f"/desk/strays?page={quoted}"), (moderator, f"/desk/new?game={quoted}"),
        (moderator, f"/desk/enter/{quoted}"), (moderator, f"/desk/c/{site.id}/inbox/{quoted}"),
        (moderator, f"/desk/c/{site.id}/inbox?page={quoted}&state={quoted}"), (moderator, f"/desk/c/{quoted}/"),
        (moderator, f"/desk/c/{site.id}/rewind?event={quoted}"),
        (moderator, f"/desk/c/{site.id}/hidden?event={quoted}"),
    ):  # fmt: skip
        assert client.get(path).status_code < 500, path


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_no_field_of_a_seat_is_a_fault(site: Site, value: str) -> None:
    client = site.client("seat2")
    token = csrf_of(client, "/")
    encoded = value.encode("utf-8", "surrogatepass")
    for path, names in (
        ("/orders", ("lines",)), ("/orders", ("kind", "question", "stamp", "f.card")), ("/messages", ("to", "text")),
        ("/standing", ("cancel",)), ("/standing", ("preset",)), ("/orders", ("reply",)),
        ("/standing", ("f.kind", "f.order", "f.name", "f.value")),
        ("/settings", ("timezone", "language", "reports", "hour", "webhook")),
    ):  # fmt: skip
        sent = dict.fromkeys(names, encoded) | {"csrf_token": token, "once": encoded}
        assert client.post(site.url(path), data=sent).status_code < 500, (path, names)
