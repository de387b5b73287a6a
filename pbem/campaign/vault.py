"""Secrets at rest: dice secrets, seat tokens and all mails, encrypted with the service's key (Fernet).

A mail holds the token of its seat, in its address and its link, as often as not in some encoding; so whole mails are
sealed, with `lay_by`. What an earlier release has left in clear is read as it is.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import stat
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

_SEALED = b"\0sealed "  # no mail, no picture and no JSON begins so
HEAD = 32
"""So many bytes of what was laid by tell its size."""


class SecretLost(RuntimeError):
    """A secret cannot be opened with the service's key: the key file is not the one it was sealed with."""


class Vault:
    """Seals and opens with the key of a file, which is made when it is not there.

    Raises `ValueError` for a file that holds no key.
    """

    def __init__(self, key_file: Path):
        self.key_file = key_file
        if not key_file.exists():
            key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_once(key_file, Fernet.generate_key())
        make_private(key_file)
        try:
            self._fernet = Fernet(key_file.read_bytes().strip())
        except ValueError as error:
            raise ValueError(f"{key_file} holds no key of this service; put the right file in its place") from error

    def seal(self, secret: bytes) -> bytes:
        """The secret, encrypted and authenticated."""
        return self._fernet.encrypt(secret)

    def open(self, sealed: bytes) -> bytes:
        """The secret again. Raises `SecretLost`."""
        try:
            return self._fernet.decrypt(bytes(sealed))
        except InvalidToken as error:
            raise SecretLost(f"the key in {self.key_file} does not open this secret") from error

    def lay_by(self, content: bytes) -> bytes:
        """What to store in place of a content that may hold secrets."""
        sealed = base64.urlsafe_b64decode(self.seal(content))  # a store takes bytes: a quarter less than text
        return b"%s%d\n%s" % (_SEALED, len(content), sealed)

    def take_out(self, kept: bytes) -> bytes:
        """The content that was laid by, or what was stored in clear. Raises `SecretLost`."""
        kept = bytes(kept)
        if not kept.startswith(_SEALED):
            return kept
        return self.open(base64.urlsafe_b64encode(kept[kept.index(b"\n") + 1 :]))


def size_of(head: bytes, length: int) -> int:
    """How long a content is, by the first `HEAD` bytes of what is stored of it and the length of that."""
    first = bytes(head).partition(b"\n")[0]
    return int(first[len(_SEALED) :]) if first.startswith(_SEALED) else length


def make_private(path: Path) -> None:
    """Let nobody but its owner read a file or folder that is there and our own."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return
    shared = status.st_mode & stat.S_ISVTX  # such as /tmp
    if status.st_uid == os.geteuid() and status.st_mode & 0o077 and not shared:
        path.chmod(stat.S_IMODE(status.st_mode) & 0o700)


def token_hash(token: str) -> str:
    """What is stored and looked up in place of a token; tokens have 160 random bits, so a plain hash will do."""
    return hashlib.sha256(token.strip().lower().encode()).hexdigest()


CUT = "[secret address]"
_TOKEN = re.compile(r"(?<![a-z2-7])[a-z2-7]{32}(?![a-z2-7])|(?<=/enter/)[a-z0-9]+", re.IGNORECASE)


_RUN = re.compile(r"[a-z2-7]{32}|/enter/", re.IGNORECASE)


def may_hold_token(text: str) -> bool:
    """Whether a text, JSON of others for instance, may hold a token; where it may not, nothing need be taken out."""
    return _RUN.search(text) is not None


def without_tokens(value: Any) -> Any:
    """A JSON value in whose texts stands no token of a seat, a moderator or a link; nothing else looks like one."""
    if isinstance(value, str):
        return _TOKEN.sub(CUT, value)
    if isinstance(value, dict):
        return {name: without_tokens(inner) for name, inner in value.items()}
    return [without_tokens(inner) for inner in value] if isinstance(value, list) else value


def _write_once(file: Path, content: bytes) -> None:
    """Write a file that nobody else can read; when another process was first, keep its."""
    own = file.with_name(f"{file.name}.{os.getpid()}")
    handle = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as opened:
        opened.write(content)
    try:
        os.link(own, file)
    except FileExistsError:
        return
    finally:
        own.unlink()
