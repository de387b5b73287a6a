"""Refusals: what the rules do not allow is told as a code with values, which every language has its sentence for.

The sentences are phrases (`pbem.render.narrative`, section ``[refused]``); `Teller.refusal` says one. Events and
answers hold code and values, so that whoever reads them later reads them in his own language. What an earlier program
stored as an English sentence is told as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

FORM, AS_ORDER, IN_MESSAGE = "form: ", "order: ", "message: "
"""How a hint begins that shows the grammar of a line, a line as an order, or as a part of a message: the words for it
are phrases (section ``[hint]``, `Teller.hints`)."""


class Refused(ValueError):
    """An order that the rules do not allow now; says why, with the section and what would be right.

    `code` names the phrase, ``not_adjacent``; `values` are what the phrase puts into its sentence, plain JSON data: ids
    of things (never their names), numbers, texts, lists of these. `section` is that of the rulebook; `hints` are what
    would be right: lines of orders, or ids (`hint` is one alone). A code has no blanks: a text that has any is a
    sentence that is told as it stands, which is for what was stored before refusals had codes.
    """

    def __init__(
        self,
        code: str,
        section: str | None = None,
        hints: Sequence[str] = (),
        *,
        hint: str | None = None,
        **values: Any,
    ):
        super().__init__(code)
        self.sentence = code if " " in code else None
        self.code = None if self.sentence else code
        self.section = section
        self.hints = [*hints, *([] if hint is None else [hint])]
        self.values = values

    def __str__(self) -> str:
        """For the log: players read what `Teller.refusal` says."""
        told = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return self.sentence or f"{self.code}{f' ({told})' if told else ''}"

    def under(self, section: str | None) -> Refused:
        """The same refusal, by another section of the rulebook."""
        return Refused(self.sentence or self.code or "", section, self.hints, **self.values)

    def to_json(self) -> dict[str, Any]:
        """As events hold it."""
        said = {"reason": self.sentence} if self.sentence else {"code": self.code, "values": self.values}
        return {**said, "section": self.section, "hints": self.hints}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Refused:
        """The inverse of `to_json`, of what earlier programs stored as well."""
        said = stored.get("code") or stored.get("reason") or ""
        return cls(said, stored.get("section"), stored.get("hints") or (), **(stored.get("values") or {}))


class Unreadable(ValueError):
    """A line that is no order: why, as a code with values, and what would be right, as `Refused` has them.

    `at`: how many of the words read were in order before the one that is not. `code` may be a function that works the
    refusal out when it is first asked for: of the many ways to read a line that fail, one is told.
    """

    def __init__(self, code: str | Callable[[], Refused], hints: Sequence[str] = (), at: int = 0, **values: Any):
        super().__init__()
        self._worked_out = Refused(code, None, hints, **values) if isinstance(code, str) else None
        self._work_out = code
        self.at = at

    def refusal(self) -> Refused:
        """Why the line cannot be read."""
        if self._worked_out is None:
            assert callable(self._work_out)
            self._worked_out = self._work_out()
        return self._worked_out

    @property
    def hints(self) -> list[str]:
        return list(self.refusal().hints)

    def __str__(self) -> str:
        """For the log: players read what `Teller.refusal` says of `refusal`."""
        return str(self.refusal())

    def with_hints(self, more: Sequence[str], at: int) -> Unreadable:
        """The same with more of what would be right, at another place of the line."""

        def work_out() -> Refused:
            refusal = self.refusal()
            said = refusal.code or refusal.sentence or ""
            return Refused(said, refusal.section, [*refusal.hints, *more], **refusal.values)

        return Unreadable(work_out, at=at)
