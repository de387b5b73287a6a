"""A mail as it was received, made safe to look at: without the seat's token, with nothing that a page would obey."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import compat32

SHOWN = 100_000
"""Bytes that a page shows; the rest is in the download."""
HEX_SHOWN = 8_192
LEFT_OUT = b"[the seat's address]"

_CONTROLS = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n"} | {0x7F: "\u2421"}
# Marks that reorder or hide text: what is shown is what is there.
_CONTROLS |= dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF], "\ufffd")


def without_token(raw: bytes, token: str | None) -> bytes:
    """The mail without the token of its seat: whoever moderates may read it, but not act for the player.

    The token is found in plain text, in quoted-printable text broken over lines, and in base64 parts, which are then
    left out whole.
    """
    if not token:
        return raw
    secret = token.encode()
    for part in message_from_bytes(raw, policy=compat32).walk():
        encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
        if part.is_multipart() or encoding != "base64":
            continue
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and secret in content.lower():
            encoded = str(part.get_payload(decode=False)).encode("ascii", "surrogateescape")
            for form in (encoded, encoded.replace(b"\n", b"\r\n")):
                raw = raw.replace(form, LEFT_OUT + b" (a part in base64 that holds it)\n")
    broken = rb"(?:=[ \t]*\r?\n)?".join(re.escape(secret[i : i + 1]) for i in range(len(secret)))
    return re.sub(broken, LEFT_OUT, raw, flags=re.IGNORECASE)


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
