"""Every refusal of the game can be told in every language, with the names of things and no id left over."""

from __future__ import annotations

import logging

import pytest

from pbem.render.language import languages
from pbem.render.narrative import Teller, own_phrases
from pbem.table.kit import load_kit
from pbem.table.orders import Refused

VALUES = {
    "ally": "france", "besieged": True, "bonus": "+1 die", "card": "31", "cards": 4, "cost": 3, "debater": "luther",
    "enemy": "ottoman", "giver": "england", "hits": 2, "homes": True, "kind": "squadron", "known": [1, 2],
    "language": "german", "leader": "suleiman", "least": 1, "left": 1,
    "lost": {"squadron": 2, "corsair": 1}, "means": 5,
    "minor": "venice", "most": 4, "named": 3, "needed": 12, "no_wife": {"code": "heirs_born"}, "number": 2,
    "origin": "buda", "other": "papacy", "owed": 2, "owner": "hungary", "owners": ["france", "venice"],
    "place": "ionian_sea", "port": "naples", "power": "hapsburg", "powers": ["england", "france"],
    "question": "impulse", "rating": 2,
    "reformer": "calvin", "religion": "protestant", "ruler": "henry_viii", "sea": "adriatic_sea", "space": "vienna",
    "squadrons": 2, "taker": "papacy", "there": 1, "total": 3, "translation": "bible_german", "turn": 4,
    "said": "indai", "verb": "DEPLOY", "voyage": "exploration", "wanted": 3, "what": "mercenaries",
    "who": ["hungary"], "zone": "german",
}  # fmt: skip


@pytest.mark.parametrize("language", languages())
def test_every_refusal_is_told_in_every_language(language, caplog):
    teller = Teller(load_kit("here_i_stand"), language)
    phrases = {**own_phrases("reformation", language), **own_phrases("here_i_stand", language)}
    asked = {key: names - {"tables"} for (section, key), names in phrases.items() if section == "refused"}
    assert len(asked) > 300
    with caplog.at_level(logging.WARNING):
        told = {code: teller.refusal(Refused(code, **{name: VALUES[name] for name in names}))
                for code, names in asked.items()}  # fmt: skip
    assert not caplog.records
    for code, said in told.items():
        assert said and not said.startswith(code.replace("_", " ") + " ("), code
        assert "_" not in said and "{{" not in said and "  " not in said, said
