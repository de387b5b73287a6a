"""Lines that cannot be read are told why in every language, with names in place of ids."""

from __future__ import annotations

import logging

import pytest

from pbem.campaign.commands import read_lines
from pbem.games import find_game
from pbem.render.language import languages
from pbem.render.narrative import own_phrases
from pbem.table.kit import load_kit
from tests.told import told

LINES = {
    "struggle_of_empires": [
        "", "BIULD army AT india", "BUILD amry AT india", "BUILD army AT baltics", "BUILD army AT russia", "BUY army",
        "BUILD army", "BUILD", "BUILD 2 army AT india", "BID x", "BID 3 A", "BID 3 france", "BID 3 A france A spain",
        "SUPPORT NAVIES maybe", "PASS PASS", "PASS?", "PASS now please", "IF", "IF PASS", "IF gold PASS",
        "IF atwar PASS",
        "IF war >= many PASS", "IF region india", "IF region moscow PASS", "UNLESS", "THEN", "THEN THEN PASS", "FOR",
        "FOR spain: FOR france: PASS", "FOR mars: PASS", "PRESS TO : hello", "SALT abc", "NEXT", "{",
        '{"order": "leap"}',
        '{"order": "bid", "bid": "x"}', "STANDING LIST 3", "CANCEL STANDING x", "PLACE " + "a" * 300, "ATTACK india",
    ],
    "here_i_stand": [
        "MOVE ALL FROM vienna", "MOVE 2 FROM vienna TO buda", "MOVE 1000 regular FROM vienna TO buda", "SPRING",
        "DECLARE WAR ON florence", "EXCOMMUNICATE henry_viii", "ANNOUNCE 1 HUG france", "ANNOUNCE 1", "PLAY card 500",
        "CONTROL charles_v", "SEND 1 regular FROM nowhere", "MOVE FROM vienna TO buda", "DEPLOY ALL IN buda",
    ],
    "thirty_years_war": [
        "LOSE REDUCE 3 gargoyle", "ACT 11", "MARCH 4 FROM prague TO wien", "MARCH FROM prague TO wien",
        "RECRUIT C1 BY x", "LOSE REDUCE many imperial militia",
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", LINES)
def test_what_cannot_be_read_is_told_in_every_language(game, language, caplog):
    kit, kinds = load_kit(game), list(find_game(game).orders)
    codes = {key for (section, key) in own_phrases(None, language) if section == "refused"}
    seen = set()
    with caplog.at_level(logging.WARNING):
        for text in LINES[game]:
            for line in read_lines(kinds, [text], kit):
                if line.problem is None:
                    continue
                seen.add(line.problem.refusal().code)
                why, hints = told(line.problem, kit, language)
                assert why and "{{" not in why and "  " not in why, text
                assert not why.startswith(str(line.problem.refusal().code).replace("_", " ") + " ("), why
                assert not any(hint.startswith(("form:", "order:", "message:")) for hint in hints), hints
    assert not caplog.records
    assert len(seen & codes) >= 3, seen
