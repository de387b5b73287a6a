"""What pictures ask of the words of a game."""

from collections.abc import Mapping
from typing import Protocol

from pbem.table.kit import Kit


class Words(Protocol):
    """The words of a game in a reader's language; `pbem.render.narrative.Teller` is one."""

    kit: Kit

    @property
    def code(self) -> str:
        """The language, such as "fr"."""

    def words(self, section: str) -> Mapping[str, str]:
        """All words of a section of the game's phrases, such as ``picture`` and ``phase``."""

    def name(self, id: str) -> str:
        """The name of a thing that the phrases or the vocabularies of the kit name."""

    def noun(self, number: int, kind: str) -> str:
        """A number of things, as "2 armies"."""
