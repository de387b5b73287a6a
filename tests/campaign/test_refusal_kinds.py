"""Every kind of refusal that the phrases know, met by a line of a mail in a position of a campaign.

``refusal_kinds.yaml`` says for each game which cases (`tests/cases`) meet which kinds: ``cases`` hold such lines
themselves (their ``refused``), ``lines`` are sent to a case before one of its entries: ``[file, entry, who, line]``.
``own`` are lines of every game, sent to a campaign of one. ``not_sent`` names the rest with a reason for each; a kind
that stands nowhere fails the test, as does one that stands twice. What is looked at in an answer, in every language:
a sentence without ids, and a whole line that the same sender can send now, unless nothing is asked of him.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem import rehearse
from pbem.campaign.submissions import LineResult
from pbem.render.language import languages
from pbem.render.narrative import Teller
from pbem.words import SOURCE, own_phrases
from tests.campaign.case_campaign import CaseCampaign, campaign_of, cases_in

TABLE: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").with_stem("refusal_kinds").read_text())
GAMES = {name: part for name, part in TABLE.items() if name not in ("own", "not_sent")}
FAMILY = {"virgin_queen": ["reformation"], "here_i_stand": ["reformation"]}
AT_ONCE = 8
"""So many cases are played by one test."""

SHOWN = 12
"""Among so many of what would be right the line has to be."""

WITHOUT_A_LINE = {"nothing_asked", "paused", "not_begun"}
"""Kinds where nothing could be sent in place of the line."""

_QUOTED = re.compile(r"“[^”]*”|«[^»]*»")
_ORDER = re.compile(r"\b[A-Z]{2,}\b[^;:.!?]*")
"""An order that a sentence names, which is written with ids as every order is."""


def codes_of(owner: str | None) -> set[str]:
    return {key for section, key in own_phrases(owner, SOURCE) if section == "refused"}


def met(part: dict[str, Any]) -> set[str]:
    return {code for codes in part["cases"].values() for code in codes} | set(part.get("lines") or {})


def listed(reasons: dict[str, list[str]]) -> list[str]:
    return [code for codes in reasons.values() for code in codes]


@pytest.mark.parametrize("owner", [None, "reformation", *GAMES])
def test_every_kind_of_refusal_is_met_or_has_a_reason_why_not(owner):
    games = [game for game in GAMES if owner in (None, game, *FAMILY.get(game, []))]
    sent = set().union(*(met(GAMES[game]) for game in games)) | ({*TABLE["own"]} if owner is None else set())
    reasons = TABLE["not_sent"][owner or "every game"]
    assert codes_of(owner) - sent - {*listed(reasons)} == set(), "a new kind: give it a line that meets it"
    assert {*listed(reasons)} - codes_of(owner) == set(), "no such kind any more"
    assert {*listed(reasons)} & sent == set(), "these are met by now"
    assert all(len(reason) > 20 for reason in reasons)


def chunks() -> Iterator[Any]:
    for game, part in GAMES.items():
        files = list(dict.fromkeys([*part["cases"], *(row[0] for row in (part.get("lines") or {}).values())]))
        for start in range(0, len(files), AT_ONCE):
            yield pytest.param(game, files[start : start + AT_ONCE], id=f"{game}-{start // AT_ONCE}")


def faults(campaign: CaseCampaign, who: str, line: str, result: LineResult) -> Iterator[str]:
    """What is wrong with an answer to a line that is refused."""
    kit, seat = campaign.service.kit_of(campaign.id), campaign.seat(who)
    for language in languages():
        said = result.said(Teller(kit, language)) or ""
        bare = _ORDER.sub("", _QUOTED.sub("", said))
        if not said or re.search(r"\w_\w|[{}]", bare):
            yield f"{line!r} is answered in {language} with {said!r}"
    if result.code in WITHOUT_A_LINE:
        return
    shown = (campaign.service.check_line(campaign.id, seat, hint).state for hint in result.hints[:SHOWN])
    if "accepted" not in shown:
        yield f"{line!r} ({result.code}) is shown no whole line that is right now: {result.hints[:SHOWN]}"


@pytest.mark.parametrize(("game", "files"), list(chunks()))
def test_a_refusal_says_in_words_why_and_shows_a_whole_line_that_is_right_now(game, files, tmp_path):
    part, wrong = GAMES[game], []
    for number, file in enumerate(files):
        seen: set[str] = set()
        more = {code: row for code, row in (part.get("lines") or {}).items() if row[0] == file}
        with campaign_of(cases_in(game, file)[0], tmp_path / str(number)) as campaign:
            for who, line in lines_sent(campaign, more):
                (result,) = campaign.send(who, line).lines
                if result.state in ("refused", "unreadable"):
                    seen.add(result.code or "")
                    wrong += [f"{file}: {fault}" for fault in faults(campaign, who, line, result)]
        missing = {*part["cases"].get(file, []), *more} - seen
        wrong += [f"{file}: {sorted(missing)} was not met, but {sorted(seen)}"] if missing else []
    assert not wrong, "\n".join(wrong)


def lines_sent(campaign: CaseCampaign, more: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The lines of a case that are to be refused, and the further ones, as the case is being played."""
    last = max((row[1] for row in more.values()), default=-1)
    for number, entry in enumerate(campaign.case["play"]):
        yield from ((who, line) for _, at, who, line in more.values() if at == number)
        if "expire" in entry:
            return
        for who, lines in ({} if "expect" in entry else entry.get("refused", entry)).items():
            if who == "because":
                continue
            if "refused" in entry:
                yield who, " ".join(rehearse._lines_of(lines))
                continue
            for line in rehearse._lines_of(lines):
                answer = campaign.send(who, line)
                assert answer.ok, (campaign.case["title"], who, line, [one.reason for one in answer.lines])
        if number >= last and not any("refused" in later for later in campaign.case["play"][number + 1 :]):
            return


@pytest.mark.parametrize("code", TABLE["own"])
def test_a_line_that_every_game_knows_is_refused_in_words(code, tmp_path):
    row = TABLE["own"][code]
    case = {"game": "struggle_of_empires", "seats": 3, "title": code, "play": []}
    with campaign_of(case, tmp_path) as campaign:
        status = campaign.service.status(campaign.id)
        who = status.seats[status.waiting_seats[0]]["powers"][0]
        answer = campaign.send(who, *row if isinstance(row, list) else [row])
        results = [line for line in answer.lines if line.code == code]
        assert results, [(line.state, line.code, line.reason) for line in answer.lines]
        kit = campaign.service.kit_of(campaign.id)
        for language in languages():
            said = results[0].said(Teller(kit, language)) or ""
            assert said and not re.search(r"\w_\w|[{}]", _ORDER.sub("", _QUOTED.sub("", said))), said
