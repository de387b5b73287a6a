"""What lies on the disk: nobody else on the machine may read it, and whoever gets the store alone plays no seat."""

from __future__ import annotations

import os
import sqlite3
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from pbem.campaign import lookup, outbox
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission
from pbem.campaign.vault import CUT, without_tokens
from tests.end_to_end.conftest import Campaign, Server, is_answer, letter, until


def modes(folder: Path) -> dict[str, int]:
    found = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in found if path.exists()}


def values(file: Path) -> list[tuple[str, str, bytes]]:
    """Every value of every table of an SQLite store as bytes, also as what it was packed from."""
    found = []
    with sqlite3.connect(file) as db:
        tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
        for table in tables:
            cursor = db.execute(f'select * from "{table}"')
            columns = [column[0] for column in cursor.description]
            for row in cursor:
                for column, value in zip(columns, row, strict=True):
                    kept = value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else b""
                    found.append((table, column, kept))
                    for start in range(64):
                        try:
                            found.append((table, column, zlib.decompress(kept[start:])))
                        except zlib.error:
                            continue
    return found


@pytest.fixture
def careless(tmp_path: Path) -> Iterator[None]:
    """A machine on which all may read what is written, as most are set up."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_files_are_for_their_owner_alone_and_no_token_lies_in_the_store(careless: None, server: Server) -> None:
    campaign = Campaign(server, "secrets")
    campaign.begin()
    seat = campaign.asked()
    person, reply_to = campaign.people[seat], campaign.reply_to[seat]
    mine = letter(person, reply_to, f"SALT {campaign.tokens[seat]}", "STATUS")
    mine["X-Original-To"] = reply_to
    server.send(person, reply_to, mine)
    stray = letter(person, reply_to, "I am away.")
    stray["Auto-Submitted"] = "auto-replied"
    stray["X-Failed-Recipients"] = reply_to
    server.send(person, reply_to, stray)
    until(lambda: [mail for mail in server.mails(person) if is_answer(mail)])
    found = modes(server.var)
    assert {"pbem.sqlite", "pbem.sqlite-wal", "pbem.sqlite-shm", "secret.key", "maildir/new"} <= found.keys()
    assert not {name: oct(mode) for name, mode in found.items() if mode & 0o077}
    assert server.stop() == 0
    kept = values(server.var / "pbem.sqlite")
    assert {"raws", "outbox", "tokens", "inbox", "strays"} <= {table for table, _, _ in kept}
    for token in campaign.tokens.values():
        clear = {(table, column) for table, column, value in kept if token.encode() in value.lower()}
        assert not clear


def test_what_an_earlier_release_left_open_is_closed_and_read(tmp_path: Path) -> None:
    settings = Settings(var=tmp_path / "var", domain="example.org")
    Service(settings).close()
    for path in (settings.var, settings.var / "pbem.sqlite", settings.key_file):
        path.chmod(0o755)
    service = Service(settings)
    assert not {name: oct(mode) for name, mode in modes(settings.var).items() if mode & 0o077}
    campaign = service.create("struggle_of_empires", 2)
    token = service.invite(campaign, "seat1", "One", "one@example.org")
    number = service.receive(Submission(campaign, ["HELP"], service.clock.now(), token=token, raw=b"a mail"))
    raws = service.store.tables.raws
    assert service.raw_mail(campaign, number) == b"a mail"
    assert lookup.inbox_entry(service.store, campaign, number).size == len(b"a mail")
    with service.store.write() as connection:
        assert b"a mail" not in bytes(connection.execute(select(raws.c.content)).scalar_one())
        connection.execute(update(raws).values(content=b"an old mail in clear"))
    assert service.raw_mail(campaign, number) == b"an old mail in clear"
    assert lookup.inbox_entry(service.store, campaign, number).size == len(b"an old mail in clear")
    service.close()


def test_a_folder_that_others_use_stays_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "pbem.sqlite").touch()
    Service(Settings(var=shared)).close()
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777
    other = tmp_path / "other"
    other.mkdir()
    other.chmod(0o755)
    Service(Settings(var=other)).close()
    assert stat.S_IMODE(other.stat().st_mode) == 0o755


def test_a_lost_key_costs_the_mails_and_not_the_service(tmp_path: Path) -> None:
    settings = Settings(var=tmp_path / "var", domain="example.org")
    service = Service(settings)
    campaign = service.create("struggle_of_empires", 2)
    token = service.invite(campaign, "seat1", "One", "one@example.org")
    number = service.receive(Submission(campaign, ["HELP"], service.clock.now(), token=token, raw=b"a mail"))
    service.close()
    settings.key_file.unlink()
    service = Service(settings)
    assert service.raw_mail(campaign, number) is None
    service.erase_person(service.player(campaign, "seat1")["person"])
    assert outbox.messages(service.store) is not None
    service.close()


@pytest.mark.parametrize("value", [
    "abcdefghijklmnopqrstuvwxyz234567", "GAME+ABCDEFGHIJKLMNOPQRSTUVWXYZ234567@HOST",
    {"lines": ["https://x/c/y/enter/abcdefghijklmnopqrstuvwxyz234567?"]}, ["pbem-moderator-" + "a2" * 16],
    "https://x/desk/enter/" + "0f" * 20,
])  # fmt: skip
def test_texts_are_told_without_tokens(value: object) -> None:
    told = str(without_tokens(value))
    assert CUT in told and "abcdefgh" not in told.lower() and "a2a2" not in told and "0f0f" not in told


@pytest.mark.parametrize("value", ["PASS", "MOVE ALL FROM vienna TO prague", "0" * 64, "c" * 40, 7, None])
def test_other_texts_are_told_as_they_are(value: object) -> None:
    assert without_tokens(value) == value
