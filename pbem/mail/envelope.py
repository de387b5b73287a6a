"""Addresses: which campaign and which seat a mail is for.

A seat writes to ``campaign+token@domain``: the part before the plus sign names the campaign, the part after it (the
"detail" of RFC 5233) is the secret of the seat. Whoever knows the token speaks for the seat, so a token is never logged
(``redact``) and its alphabet survives mail programs that fold case.
"""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import Message

LOCAL_PART_LIMIT = 64  # octets, RFC 5321 section 4.5.3.1.1
TOKEN_BYTES = 20  # 160 bits: exactly 32 characters of base32, so nothing to pad

_CAMPAIGN = re.compile(r"[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?")
_TOKEN = re.compile(r"[a-z0-9_.=-]+")
_ADDRESS_IN_TEXT = re.compile(r"[^\s<>,;:\"()\[\]\\@\x00-\x1f\x7f]{1,200}@[^\s<>,;:\"()\[\]\\@\x00-\x1f\x7f]{1,255}")
_SECRET_IN_TEXT = re.compile(r"\+[^\s@<>]{1,200}(?=@|%40)|\b[a-z2-7]{26,}\b", re.IGNORECASE)

ENVELOPE_HEADERS = ("Delivered-To", "X-Original-To", "To", "Cc")


@dataclass(frozen=True, slots=True)
class Envelope:
    """For whom a mail is: the campaign, and the token of the seat ("" when the address held none)."""

    campaign: str
    token: str


def new_token() -> str:
    """A fresh seat token: 160 random bits in lower-case base32 (32 characters of a-z and 2-7)."""
    return base64.b32encode(secrets.token_bytes(TOKEN_BYTES)).decode("ascii").lower()


def make_address(campaign: str, token: str, domain: str) -> str:
    """The address to which the seat with `token` writes.

    Raises ValueError when campaign, token or domain would not come back unchanged from ``parse_address``, or when the
    local part is longer than RFC 5321 allows.
    """
    address = f"{campaign}+{token}@{domain}" if token else f"{campaign}@{domain}"
    if parse_address(address, domain) != Envelope(campaign, token):
        raise ValueError(f"no mail address can be made of campaign {campaign!r} and its token")
    return address


def parse_address(address: str, domain: str) -> Envelope | None:
    """Campaign and token of an address at our `domain`.

    None when the domain is another one or the local part cannot be ours. An address without a token (or with an
    empty one) gives an Envelope with token "", since its sender deserves an answer. Case does not matter.
    """
    local, at, host = address.strip().lower().rpartition("@")
    if not at or host.rstrip(".") != domain.lower().rstrip("."):
        return None
    if not 0 < len(local.encode("utf-8", "replace")) <= LOCAL_PART_LIMIT:
        return None
    campaign, plus, token = local.partition("+")
    if not _CAMPAIGN.fullmatch(campaign) or (token and not _TOKEN.fullmatch(token)):
        return None
    return Envelope(campaign, token)


def envelope_addresses(message: Message, domain: str) -> list[str]:
    """Our addresses in the headers of a delivered mail, for when the SMTP envelope is gone (IMAP).

    Looks at Delivered-To, X-Original-To, To and Cc in this order and gives every address with a token of the first
    header that has one. Only if no header has one, our addresses without a token (the mailbox's own name is often
    the Delivered-To, so these come last). Empty when there is none.
    """
    without_token: list[str] = []
    for name in ENVELOPE_HEADERS:
        ours = [(address, parse_address(address, domain)) for address in _addresses(_raw_values(message, name))]
        with_token = [address for address, envelope in ours if envelope and envelope.token]
        if with_token:
            return with_token
        without_token = without_token or [address for address, envelope in ours if envelope]
    return without_token


def redact(text: str) -> str:
    """`text` with every token in it replaced by ``***``; for logs and error messages."""
    return _SECRET_IN_TEXT.sub(lambda secret: "+***" if secret.group().startswith("+") else "***", text)


def _raw_values(message: Message, name: str) -> list[str]:
    return [str(value)[:10_000] for key, value in message.raw_items() if key.lower() == name.lower()]


def _addresses(values: Iterable[str]) -> list[str]:
    """Every address in header values, in order, once. A plain search: the values are whatever a stranger sent."""
    return list(dict.fromkeys(address.lower() for value in values for address in _ADDRESS_IN_TEXT.findall(value)))
