"""Every refusal of the game can be told in every language, with the names of things and no id left over."""

from __future__ import annotations

import logging

import pytest

from pbem.render.language import languages
from pbem.render.narrative import Teller, own_phrases
from pbem.table.kit import load_kit
from pbem.table.orders import Refused

VALUES = {
    "bid": 5, "by_then": True, "cost": 3, "counter": "hanover", "going_on": False, "gold": 4, "has": 1, "kind": "navy",
    "kinds": ["army", "navy"], "least": 2, "left": True, "militia": False, "most": 2, "named": 3,
    "near": ["baltic", "german_states"], "place": "home:spain", "power": "united_provinces", "region": "caribbean",
    "said": "2 army", "sea": "mediterranean", "shows": "pop", "target": "pirates", "tile": "fighting_withdrawal",
    "word": "FOR",
}  # fmt: skip


@pytest.mark.parametrize("language", languages())
def test_every_refusal_is_told_in_every_language(language, caplog):
    teller = Teller(load_kit("struggle_of_empires"), language)
    phrases = own_phrases(teller.kit.game, language)
    asked = {key: names for (section, key), names in phrases.items() if section == "refused"}
    assert len(asked) > 80
    with caplog.at_level(logging.WARNING):
        told = {code: teller.refusal(Refused(code, **{name: VALUES[name] for name in names}))
                for code, names in asked.items()}  # fmt: skip
    assert not caplog.records
    for code, said in told.items():
        assert said and not said.startswith(code.replace("_", " ") + " ("), code
        plain = said.replace("surprise_attack", "").replace("USE fighting_withdrawal", "")  # in lines that can be sent
        assert "_" not in plain and "{{" not in plain and "  " not in plain, said
