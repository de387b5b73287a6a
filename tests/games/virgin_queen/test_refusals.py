"""Every refusal of the game can be told in every language, with the names of things and no id left over."""

from __future__ import annotations

import logging
import re

import pytest

from pbem.render.language import languages
from pbem.render.narrative import Teller, own_phrases
from pbem.table.kit import load_kit
from pbem.table.orders import Refused

VALUES = {
    "ally": "france", "besieged": True, "boxes": 2, "captain": "drake", "card": "31", "cards": 4, "cost": 3, "due": 2,
    "enemy": "ottoman", "faction": "dutch", "giver": "england", "hits": 2, "holder": "spain", "kind": "galleon",
    "kinds": ["vp", "ship"], "known": [1, 2], "leader": "alva", "least": 2, "left": 1, "levels": 2,
    "lost": {"galley": 2, "corsair": 1}, "man": "henri_iii", "means": 5, "minor": "venice", "most": 4, "named": 3,
    "needed": 12, "number": 2, "ocean": "antilles", "oceans": ["antilles"], "aboard": 2,
    "ruler": "charles_ix", "zones": ["antilles"], "origin": "buda", "other": "empire", "owed": 2, "owner": "huguenot",
    "owners": ["france", "venice"], "place": "ionian_sea", "port": "lisbon", "power": "spain",
    "powers": ["england", "france"], "question": "impulse", "rating": 2, "region": "netherlands",
    "regions": ["france", "scotland"], "role": "naval", "room": 1, "royal": "elizabeth_i", "said": "indai",
    "sea": "adriatic_sea", "space": "vienna", "spaces": ["vienna", "buda"], "squadrons": 2, "strength": 4,
    "taker": "empire", "target": "france", "there": 1, "total": 3, "treasure": "cp2", "turn": 4, "unit": "galley",
    "verb": "DEPLOY", "victim": "alva", "village": "havana", "wanted": 3, "what": "mercenaries", "who": ["dutch"],
    "woman": "elizabeth_i", "zone": "antilles",
}  # fmt: skip
RAW = re.compile(r"\w_\w|\{\{|\{ |  |\bNone\b")


@pytest.mark.parametrize("language", languages())
def test_every_refusal_is_told_in_every_language(language, caplog):
    teller = Teller(load_kit("virgin_queen"), language)
    phrases = {**own_phrases("reformation", language), **own_phrases("virgin_queen", language)}
    asked = {key: names - {"tables"} for (section, key), names in phrases.items() if section == "refused"}
    assert len(asked) > 250
    with caplog.at_level(logging.WARNING):
        told = {code: teller.refusal(Refused(code, **{name: VALUES[name] for name in names}))
                for code, names in asked.items()}  # fmt: skip
    assert not caplog.records
    for code, said in told.items():
        assert said and not said.startswith(code.replace("_", " ") + " ("), code
        assert not RAW.search(said), said
