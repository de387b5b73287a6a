"""What `pbem new` says and does beside the campaign: who runs it, and how far its kit is; `pbem kit check`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pbem import resources
from pbem.campaign.moderators import Moderators
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.cli import main
from pbem.mail.envelope import new_token
from tests import toy

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def _a_store_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_VAR", str(tmp_path / "var"))
    monkeypatch.setenv("PBEM_CONFIG", str(toy.write_kit(tmp_path / "config")))


def pbem(*arguments: str, status: int = 0) -> Result:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == status, (done.output, done.exception)
    return done


def new(*more: str, status: int = 0, game: str = "struggle_of_empires", seats: str = "3") -> Result:
    return pbem("new", game, "--seats", seats, "--campaign", "winter", *more, status=status)


def account(name: str, *more: str) -> None:
    pbem("moderator", "add", name, "--password", PASSWORD, *more)


def runners(tmp_path: Path) -> list[str]:
    service = Service(Settings(var=tmp_path / "var"))
    try:
        return Moderators(service.store).of_campaign("winter")
    finally:
        service.close()


def test_the_only_account_runs_a_new_campaign(tmp_path: Path) -> None:
    account("anna")
    assert "anna runs it" in new().output
    assert runners(tmp_path) == ["anna"]


@pytest.mark.parametrize("named", ["bert", "bert@example.org", " BERT@Example.org"])
def test_one_of_several_accounts_is_named_by_name_or_address(tmp_path: Path, named: str) -> None:
    account("anna", "--address", "anna@example.org")
    account("bert", "--address", "bert@example.org")
    assert "bert runs it" in new("--moderator", named).output
    assert runners(tmp_path) == ["bert"]


def test_where_several_could_run_it_and_none_is_named_that_is_said(tmp_path: Path) -> None:
    account("anna", "--admin")
    account("bert")
    said = new().output
    assert "only admins see it at the desk: anna;" in said and "--moderator" in said
    assert runners(tmp_path) == []


def test_where_nobody_can_see_it_the_way_to_an_account_is_said() -> None:
    assert "pbem moderator add" in new().output
    account("anna")
    account("bert")
    assert "there is none yet" in new("--campaign", "spring").output


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("carl", "there are anna, bert, both"),
        ("both@example.org", "anna, both; name one"),
        ("", "there is no moderator"),
    ],
)
def test_a_moderator_that_is_none_founds_nothing(named: str, said: str) -> None:
    account("anna", "--address", "both@example.org")
    account("both", "--address", "both@example.org")
    account("bert")
    assert said in new("--moderator", named, status=1).output
    assert "no campaign" in pbem("list").output


def test_a_game_for_one_number_of_players_alone_is_founded_without_saying_it() -> None:
    done = pbem("new", "thirty_years_war", "--campaign", "white-mountain", "--invite", "a@example.org")
    assert "campaign white-mountain" in done.stdout and "seat1: a@example.org is invited" in done.stdout
    done = pbem("new", "here_i_stand", "--campaign", "worms", status=2)
    assert "3 to 6 players: say for how many by --seats" in done.output


def test_a_game_in_preparation_is_founded_with_a_warning(tmp_path: Path) -> None:
    assert "warning" not in new().output
    toy.write_unfinished_kit(tmp_path / "config", "here_i_stand")
    done = pbem("new", "here_i_stand", "--seats", "6", "--campaign", "spring")
    assert "warning: Here I Stand is in preparation" in done.stderr and "campaign spring" in done.stdout


def test_a_broken_phrase_is_found_by_the_check_of_the_kit(tmp_path: Path) -> None:
    game = tmp_path / "config" / "games" / "struggle_of_empires"
    shutil.copytree(resources.path("config/games/struggle_of_empires"), game)
    check = [sys.executable, "-c", "from pbem.cli import main; main()", "kit", "check", "struggle_of_empires"]
    assert subprocess.run(check, check=False).returncode == 0
    (game / "phrases.en.toml").write_text('[happened]\npirates = "{{ power "\n', encoding="utf-8")
    found = subprocess.run(check, check=False, capture_output=True, text=True)
    assert found.returncode == 1 and "[happened] pirates" in found.stdout, found


def test_no_token_stands_in_what_is_logged():
    service = "import logging; from pbem.cli import _log; _log()"
    token = new_token()
    fault = f"try: raise ValueError('of storm+{token}@example.org')\nexcept ValueError: logging.exception('{token}')"
    said = subprocess.run([sys.executable, "-c", f"{service}\n{fault}"], capture_output=True, text=True, check=True)
    assert "ValueError: of storm+" in said.stderr and token not in said.stderr
