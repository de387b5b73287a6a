"""Settings: `config/pbem.toml`, overridden by the environment. The file explains each of them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from pbem import resources


@dataclass(frozen=True)
class Settings:
    """What an operator can choose. Names of a section's settings begin with the section's name."""

    var: Path = Path("var")
    store: str = "sqlite"
    schema: str = "pbem"
    domain: str = "localhost"
    site: str = ""
    moderator: str = ""
    secret_key_file: str = ""
    smtp_host: str = ""
    smtp_port: int = 587
    smtp_user: str = ""
    smtp_password_file: str = ""
    smtp_starttls: bool = True
    smtp_tls: bool = False
    smtp_gather_minutes: int = 0
    webhook_private: bool = False
    web_host: str = "127.0.0.1"
    web_port: int = 8000
    web_trusted_proxies: int = 0
    web_proxies: str = "127.0.0.0/8, ::1"
    listen_host: str = "127.0.0.1"
    listen_port: int = 8025
    listen_lmtp: bool = False
    listen_certificate: str = ""
    listen_key: str = ""
    imap_host: str = ""
    imap_port: int = 993
    imap_user: str = ""
    imap_password_file: str = ""
    imap_folder: str = "INBOX"
    imap_seconds: int = 60
    clock_seconds: int = 5
    clock_outage_minutes: int = 5
    clock_claim_seconds: int = 120
    clock_ways: str = ""
    keep_mails_days: int = 180
    keep_lines_days: int = 365
    play_snapshot_every: int = 200
    play_automatic_limit: int = 100
    play_lines_limit: int = 50
    play_press_limit: int = 20_000
    play_campaigns_in_memory: int = 1_000

    def __post_init__(self) -> None:
        if not self.site:  # links in mails then lead to where the pages listen
            object.__setattr__(self, "site", f"http://{self.web_host}:{self.web_port}")

    @property
    def database_url(self) -> str:
        """The SQLAlchemy address of the store."""
        if self.store == "sqlite":
            return f"sqlite:///{self.var / 'pbem.sqlite'}"
        return self.store

    @property
    def ways(self) -> list[str]:
        """The ways in whose outage moves a deadline; empty for all that ever wrote a heartbeat."""
        return [way.strip() for way in self.clock_ways.split(",") if way.strip()]

    @property
    def key_file(self) -> Path:
        """The file of the secret key."""
        return Path(self.secret_key_file) if self.secret_key_file else self.var / "secret.key"


def load_settings(environment: Mapping[str, str] | None = None, file: Path | None = None) -> Settings:
    """The settings of a file (by default `config/pbem.toml`) and the environment.

    Raises `ValueError` for a setting that is unknown or of the wrong kind, and says which.
    """
    environment = os.environ if environment is None else environment
    file = file or resources.path("config/pbem.toml")
    values: dict[str, Any] = {}
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file} cannot be read: {error}") from error
    for name, value in given.items():
        if isinstance(value, dict):
            values |= {f"{name}_{key}": inner for key, inner in value.items()}
        else:
            values[name] = value
    kinds = get_type_hints(Settings)
    for field in fields(Settings):
        chosen = environment.get(f"PBEM_{field.name.upper()}")
        if chosen is not None:
            values[field.name] = chosen
    for name, value in values.items():
        if name not in kinds:
            raise ValueError(f"{file}: there is no setting {name}")
        values[name] = _as(kinds[name], name, value)
    return Settings(**values)


def _as(kind: type, name: str, value: Any) -> Any:
    if kind is bool and isinstance(value, str):
        if value.casefold() not in ("yes", "no", "true", "false", "1", "0"):
            raise ValueError(f"setting {name} should be yes or no, not {value!r}")
        return value.casefold() in ("yes", "true", "1")
    try:
        made = kind(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"setting {name} should be of kind {kind.__name__}, not {value!r}") from error
    if name.endswith("_port") and not 0 <= made <= 65535:
        raise ValueError(f"setting {name} is a port, from 0 to 65535, not {value!r}")
    return made
