"""Secrets at rest: dice secrets and seat tokens, encrypted with the service's key (Fernet)."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken


class SecretLost(RuntimeError):
    """A secret cannot be opened with the service's key: the key file is not the one it was sealed with."""


class Vault:
    """Seals and opens with the key of a file, which is made when it is not there."""

    def __init__(self, key_file: Path):
        self.key_file = key_file
        if not key_file.exists():
            key_file.parent.mkdir(parents=True, exist_ok=True)
            _write_once(key_file, Fernet.generate_key())
        self._fernet = Fernet(key_file.read_bytes().strip())

    def seal(self, secret: bytes) -> bytes:
        """The secret, encrypted and authenticated."""
        return self._fernet.encrypt(secret)

    def open(self, sealed: bytes) -> bytes:
        """The secret again. Raises `SecretLost`."""
        try:
            return self._fernet.decrypt(bytes(sealed))
        except InvalidToken as error:
            raise SecretLost(f"the key in {self.key_file} does not open this secret") from error


def token_hash(token: str) -> str:
    """What is stored and looked up in place of a token; tokens have 160 random bits, so a plain hash will do."""
    return hashlib.sha256(token.strip().lower().encode()).hexdigest()


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
