"""How the headers of our mails are written: the library's own folding loses blanks between encoded words, begins with
an empty line where the first word is long, and encodes identifiers, which no program then finds again (RFC 2047
section 5). So texts and names that are not short and plain are written as one encoded value, and identifiers as they
are."""

from __future__ import annotations

import re
from email import base64mime, quoprimime
from email.charset import BASE64, QP, Charset
from email.header import Header
from email.headerregistry import Address
from email.policy import EmailPolicy
from typing import Any

LINE = 76
"""As long is a line of a header at most (RFC 2047 section 2), but for an identifier, which cannot be folded."""

IDENTIFIERS = ("message-id", "in-reply-to", "references", "list-id", "content-id")
_ADDRESSES = ("from", "to", "reply-to", "cc", "sender")
_TEXTS = ("subject", "comments")
_PLAIN = re.compile(r"[\x20-\x7e]*")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")


class _Whole(EmailPolicy):
    """The policy SMTP, with headers that decode to exactly what was meant."""

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:
        if name.lower() in _TEXTS and isinstance(value, str) and not hasattr(value, "defects"):
            if len(value.splitlines()) > 1:
                raise ValueError("a header is one line")
            return name, value  # not read as if it came from outside: words that look encoded are meant as they stand
        return super().header_store_parse(name, value)

    def fold(self, name: str, value: Any) -> str:
        kind = name.lower()
        if kind in IDENTIFIERS:
            return f"{name}: {_joined(str(value).split(), len(name) + 2, self.linesep)}{self.linesep}"
        if kind in _TEXTS:
            return f"{name}: {_text(str(value), len(name) + 2, self.linesep)}{self.linesep}"
        if kind in _ADDRESSES and getattr(value, "addresses", None):
            given = f",{self.linesep} ".join(_named(one, len(name) + 2, self.linesep) for one in value.addresses)
            return f"{name}: {given}{self.linesep}"
        return super().fold(name, value)

    def fold_binary(self, name: str, value: Any) -> bytes:
        return self.fold(name, value).encode("utf-8", "surrogateescape")


POLICY = _Whole(linesep="\r\n")


def _text(text: str, used: int, end: str) -> str:
    """A text as plain words or as one encoded value; `used` is how much of its first line is taken."""
    words = text.split(" ")
    plain = _PLAIN.fullmatch(text) and "=?" not in text and all(words)
    if plain and all(len(word) <= LINE - used for word in words):
        return _joined(words, used, end)
    return _encoded(text, used, end)


def _charset(encoding: int) -> Charset:
    made = Charset("utf-8")
    made.header_encoding = encoding
    return made


_BASE64, _QUOTED = _charset(BASE64), _charset(QP)


def _encoded(text: str, used: int, end: str) -> str:
    raw = text.encode()  # what can nearly be read as it is is left so
    is_plain = quoprimime.header_length(raw) - base64mime.header_length(raw) < 5
    charset, before = _QUOTED if is_plain else _BASE64, "x" * max(0, used - 2)
    return Header(text, charset, maxlinelen=LINE, header_name=before).encode(linesep=end)


def _joined(words: list[str], used: int, end: str) -> str:
    """Words with one blank between them, which is where lines are folded; the first stands beside the name."""
    lines = [""]
    for word in words:
        if lines[-1].strip() and used + len(lines[-1]) + 1 + len(word) > LINE:
            lines, used = [*lines, f" {word}"], 0
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return end.join(lines)


def _named(address: Address, used: int, end: str) -> str:
    name, where = address.display_name, address.addr_spec
    if not name:
        return where
    if _PLAIN.fullmatch(name) and "=?" not in name and len(name) <= LINE - used - 2:
        quoted = name if _ATOMS.fullmatch(name) else '"' + re.sub(r'([\\"])', r"\\\1", name) + '"'
    else:
        quoted = _encoded(name, used, end)
    last = quoted.rpartition(end)[2]
    taken = len(last) + (used if last == quoted else 0)
    return f"{quoted}{end if taken + len(where) + 3 > LINE else ''} <{where}>"
