"""No text of a person holds a live secret: what a seat or a moderator writes is looked through before it is kept.

Whoever has a seat's token (it stands in its reply address and in its link) plays for it, and a mail program easily puts
it into what a player sends on: the line above a quotation, a footer. So whatever reads a text in whatever way, one that
holds a token of its campaign is refused, and the token is not kept. Found also when it is broken over lines, spaced,
in capitals or full width, percent-encoded, or as quoted-printable.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sqlalchemy import select

from pbem.campaign.vault import CUT, token_hash
from pbem.table.orders import Refused

if TYPE_CHECKING:
    from pbem.campaign.store import Store

TOKEN_LENGTH = 32
_ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz234567")
_ENCODED = re.compile(r"=([0-9A-Fa-f]{2})")

class HoldsSecret(Refused):
    """A text that holds a live token."""

    def __init__(self) -> None:
        super().__init__("holds_secret")


def live_tokens(store: Store, campaign: str | None = None) -> set[str]:
    """The hashes of the tokens of a campaign's seats that are good now; of all campaigns where none is named."""
    if campaign is None:
        t = store.tables.tokens
        rows = store.fetch("all_live_tokens", select(t.c.hash).where(t.c.active == 1), {})
    else:
        rows = store.fetch("live_tokens", store.live_tokens_of, {"of": campaign})
    return {hash for (hash,) in rows}


def may_hold_secret(text: str) -> bool:
    """Whether a text is long enough to hold a token; saves asking for those that are good."""
    return len(text) >= TOKEN_LENGTH


def holds_secret(text: str, hashes: Set[str]) -> bool:
    """Whether a text holds one of the tokens with these hashes (`pbem.campaign.vault.token_hash`)."""
    return any(_spans(form, hashes) for form in {text, _decoded(text)})


def without_secrets(lines: Sequence[str], hashes: Set[str]) -> list[str]:
    """Lines with every token replaced by `CUT`; of an encoded one all lines."""
    joined = "\n".join(lines)
    if not holds_secret(joined, hashes):
        return list(lines)
    spans = _spans(joined, hashes)
    for start, end in reversed(spans):
        breaks = "\n" * joined.count("\n", start, end)
        joined = joined[:start] + CUT + "".join(f"{line}{CUT}" for line in breaks) + joined[end:]
    cut = joined.split("\n")
    if holds_secret("\n".join(cut), hashes):
        return [CUT] * len(cut)
    return cut


def is_cut(lines: Sequence[str]) -> bool:
    """Whether a secret was taken out of lines."""
    return any(CUT in line for line in lines)


def check(store: Store, text: str, campaign: str | None = None) -> None:
    """Raises `HoldsSecret` when a text holds a live token of a campaign, or of any where none is named."""
    if may_hold_secret(text) and holds_secret(text, live_tokens(store, campaign)):
        raise HoldsSecret


def _decoded(text: str) -> str:
    """A text without what programs encode it with."""
    text = _ENCODED.sub(lambda code: chr(int(code[1], 16)), re.sub(r"=\r?\n", "", text))
    return unicodedata.normalize("NFKC", html.unescape(unquote(text)))


def _spans(text: str, hashes: Set[str]) -> list[tuple[int, int]]:
    """Where tokens stand in a text, in order, whatever signs are strewn in between."""
    places = [place for place, sign in enumerate(text) if sign.lower() in _ALPHABET]
    signs = "".join(text[place].lower() for place in places)
    spans: list[tuple[int, int]] = []
    at = 0
    while at + TOKEN_LENGTH <= len(signs) and hashes:
        if token_hash(signs[at : at + TOKEN_LENGTH]) in hashes:
            spans.append((places[at], places[at + TOKEN_LENGTH - 1] + 1))
            at += TOKEN_LENGTH
        else:
            at += 1
    return spans
