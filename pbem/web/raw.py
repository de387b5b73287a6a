"""A mail as it was received, made safe to look at: without tokens, with nothing that a page would obey."""

from __future__ import annotations

import base64
import quopri
import re
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.policy import compat32

from pbem.campaign.vault import CUT, without_tokens

SHOWN = 100_000
"""Bytes that a page shows; the rest is in the download."""
HEX_SHOWN = 8_192

_CONTROLS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"} | {0x7F: "\u2421"}
# Marks that reorder or hide text: what is shown is what is there.
_CONTROLS |= dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF], "\ufffd")


def without_secrets(raw: bytes) -> bytes:
    """The mail without any token of a seat, a moderator or a link, of whatever campaign: whoever moderates may read it,
    but not act for a player. A mail that holds none comes back as it is, byte for byte.

    Tokens are found in the text that a mail program would show, whatever its transfer encoding, and in headers. A part
    that holds one and is no text, or cannot be read, is left out, which is said in its place.
    """
    mail = message_from_bytes(raw, policy=_AS_IT_IS)
    is_changed = False
    for part in mail.walk():
        is_changed |= _clean_headers(part)
        is_changed |= _clean_around(part)
        if not part.is_multipart():
            is_changed |= _clean_content(part)
        elif part.get_content_maintype() == "message" and _encoding(part) not in _PLAIN:
            _leave_out(part)  # RFC 2046 5.2.1 forbids to encode it, and nobody can tell what a mail program makes of it
            is_changed = True
    return mail.as_bytes() if is_changed else raw


_AS_IT_IS = compat32.clone(linesep="\r\n", max_line_length=None)
_PLAIN = ("", "7bit", "8bit", "binary")
_ENCODED_WORDS = re.compile(r"=\?[^?\s]+\?[bq]\?[^?]*\?=(?:\s*=\?[^?\s]+\?[bq]\?[^?]*\?=)*", re.IGNORECASE)


def _encoding(part: Message) -> str:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower()


def _holds_secret(content: bytes) -> bool:
    """Whether a token stands in a content, in letters of one byte or of two (UTF-16)."""
    texts = (content.decode("latin-1"), content.replace(b"\0", b"").decode("latin-1"))
    return any(without_tokens(text) != text for text in texts)


def _clean_headers(part: Message) -> bool:
    fields = part.items()
    cleaned = [(name, _clean_header(str(value))) for name, value in fields]
    if cleaned == [(name, str(value)) for name, value in fields]:
        return False
    for name in {name for name, _ in fields}:
        del part[name]
    for name, value in cleaned:
        part[name] = value
    return True


def _clean_header(value: str) -> str:
    """A header without tokens, also where they stand in encoded words (RFC 2047) or are broken by a fold."""
    value = _ENCODED_WORDS.sub(lambda words: CUT if _holds_secret(_decoded(words[0])) else words[0], value)
    cleaned = without_tokens(value)
    unfolded = re.sub(r"\r?\n[ \t]+", "", cleaned)
    return CUT if without_tokens(unfolded) != unfolded else cleaned


def _decoded(words: str) -> bytes:
    try:
        pieces = decode_header(words)
    except HeaderParseError:
        return words.encode("utf-8", "surrogateescape")
    return b"".join(piece if isinstance(piece, bytes) else piece.encode("latin-1", "replace") for piece, _ in pieces)


def _clean_around(part: Message) -> bool:
    """Take tokens out of what stands before and after the parts of a part."""
    before = (part.preamble, part.epilogue)
    part.preamble, part.epilogue = without_tokens(part.preamble), without_tokens(part.epilogue)
    return (part.preamble, part.epilogue) != before


def _clean_content(part: Message) -> bool:
    encoding, content = _encoding(part), part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return False
    cleaned = without_tokens(content.decode("latin-1")).encode("latin-1")
    if cleaned != content and encoding in _PLAIN:
        part.set_payload(cleaned.decode("ascii", "surrogateescape"))
    elif cleaned != content and encoding == "quoted-printable":
        part.set_payload(quopri.encodestring(cleaned).decode("ascii"))
    elif cleaned != content and encoding == "base64" and part.get_content_maintype() == "text":
        part.set_payload(base64.encodebytes(cleaned).decode("ascii"))
    rest = part.get_payload(decode=True)
    if isinstance(rest, bytes) and _holds_secret(rest):
        _leave_out(part)
    return part.get_payload(decode=True) != content


def _leave_out(part: Message) -> None:
    kind = part.get_content_type()
    for name in ("Content-Type", "Content-Transfer-Encoding", "Content-Disposition"):
        del part[name]
    part["Content-Type"] = "text/plain; charset=us-ascii"
    part.set_payload(f"[a part is left out, {kind}: it holds the secret address of a seat, or may]\r\n")


def readable(raw: bytes) -> tuple[str, bool]:
    """What a page shows of a mail, and whether that is all: text, or a hex dump where it is no text."""
    start = raw[:SHOWN]
    text = start.decode("utf-8", "replace")
    strange = sum(not (c.isprintable() or c in "\r\n\t") or c == "\ufffd" for c in text)
    if strange * 20 > len(text):
        return hex_dump(raw[:HEX_SHOWN]), len(raw) <= HEX_SHOWN
    return visible(text.replace("\r\n", "\n")), len(raw) <= SHOWN


def visible(text: str) -> str:
    """A text whose control characters can be seen and do nothing."""
    return text.translate(_CONTROLS)


def hex_dump(content: bytes) -> str:
    """Sixteen bytes a line: where, which, and as letters where they are letters."""
    lines = []
    for at in range(0, len(content), 16):
        row = content[at : at + 16]
        letters = "".join(chr(b) if 32 <= b < 127 else "·" for b in row)
        lines.append(f"{at:06x}  {row[:8].hex(' '):<23}  {row[8:].hex(' '):<23}  {letters}")
    return "\n".join(lines)
