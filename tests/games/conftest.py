"""What tests of several games share."""

import logging

import pytest

from pbem.render.narrative import Teller
from pbem.table.facts import Fact


@pytest.fixture
def fallbacks(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> list[Fact]:
    """The facts that were told by their bare fields, since no phrase fits them; warnings of phrases that fail."""
    found: list[Fact] = []
    real = Teller.last_resort
    monkeypatch.setattr(Teller, "last_resort", lambda self, fact: found.append(fact) or real(self, fact))
    caplog.set_level(logging.WARNING, "pbem.render.narrative")
    return found
