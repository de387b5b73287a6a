from __future__ import annotations

import time
from pathlib import Path

import pytest

from pbem.campaign.clock import ManualClock, SystemClock, moment, stamp
from pbem.campaign.settings import Settings, load_settings
from pbem.campaign.vault import SecretLost, Vault


def test_the_shipped_file_says_the_defaults():
    """But for reports, which a service gathers; a program that has no file sends each at once."""
    assert load_settings({}) == Settings(smtp_gather_minutes=10)


def test_the_environment_wins(tmp_path):
    settings = load_settings(
        {
            "PBEM_VAR": str(tmp_path),
            "PBEM_SMTP_PORT": "2525",
            "PBEM_SMTP_STARTTLS": "no",
            "PBEM_CLOCK_WAYS": "smtp, web",
        }
    )
    assert settings.var == tmp_path and settings.smtp_port == 2525 and not settings.smtp_starttls
    assert settings.ways == ["smtp", "web"] and settings.database_url == f"sqlite:///{tmp_path}/pbem.sqlite"
    assert settings.key_file == tmp_path / "secret.key"


def test_links_lead_to_where_the_pages_are():
    assert load_settings({"PBEM_WEB_PORT": "8123"}).site == "http://127.0.0.1:8123"
    assert load_settings({"PBEM_WEB_PORT": "8123", "PBEM_SITE": "https://pbem.example"}).site == "https://pbem.example"


@pytest.mark.parametrize("environment", [{"PBEM_SMTP_PORT": "many"}, {"PBEM_SMTP_STARTTLS": "perhaps"}])
def test_wrong_values_are_named(environment):
    with pytest.raises(ValueError, match=next(iter(environment)).removeprefix("PBEM_").lower()):
        load_settings(environment)


def test_unknown_settings_are_named(tmp_path):
    file = tmp_path / "pbem.toml"
    file.write_text("[smtp]\nprot = 1\n")
    with pytest.raises(ValueError, match="smtp_prot"):
        load_settings({}, file)


def test_a_key_is_made_once_and_read_by_its_owner_only(tmp_path: Path):
    file = tmp_path / "keys" / "secret.key"
    sealed = Vault(file).seal(b"secret")
    assert Vault(file).open(sealed) == b"secret" and file.stat().st_mode & 0o077 == 0
    assert b"secret" not in sealed
    with pytest.raises(SecretLost):
        Vault(tmp_path / "other.key").open(sealed)


def test_times_sort_as_they_run():
    clock = ManualClock()
    early, late = stamp(clock.now()), stamp(clock.advance(seconds=0.5))
    assert early < late and moment(late) == clock.now() and len(early) == len(late)
    assert abs(SystemClock().now().timestamp() - time.time()) < 5
