"""Commands beside a running service, and what they say when something is not as it should be."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.end_to_end.conftest import PASSWORD, PBEM, Server, free_ports

WITHOUT_POSTGRES = f"import sys; sys.modules['psycopg'] = None; {PBEM}"


def run(server: Server, code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], env={**server.environment, **environment}, cwd=server.folder,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_a_plain_install_needs_no_driver_of_postgresql(tmp_path) -> None:
    server = Server(tmp_path)
    done = run(server, WITHOUT_POSTGRES, "new", "struggle_of_empires", "--seats", "2")
    assert done.returncode == 0, done.stderr
    done = run(server, WITHOUT_POSTGRES, "list", PBEM_STORE="postgresql://nobody@127.0.0.1:1/nothing")
    assert done.returncode == 1 and "pbem[postgres]" in done.stderr and "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_told_in_a_line(server: Server) -> None:
    done = run(server, PBEM, "serve")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"port {server.mail_port}" in done.stderr and "PBEM_LISTEN_PORT" in done.stderr
    done = run(server, PBEM, "serve", PBEM_LISTEN_PORT=str(free_ports(1)[0]))
    assert done.returncode == 1 and f"port {server.web_port}" in done.stderr and "PBEM_WEB_PORT" in done.stderr


def test_mistakes_in_commands_are_told_and_change_nothing(server: Server) -> None:
    assert "no campaign" in server.command("list")
    new = ("new", "struggle_of_empires", "--seats", "2", "--campaign", "one")
    assert "no address" in server.command(*new, "--invite", "nonsense", status=2)
    three = [part for number in range(3) for part in ("--invite", f"p{number}@people.example")]
    assert "2 seats" in server.command(*new, *three, status=1)
    twice = ("--invite", "one@people.example", "--invite", "One@People.example")
    assert "nobody holds two seats" in server.command(*new, *twice, status=2)
    assert "for 2 to 7" in server.command("new", "struggle_of_empires", "--seats", "9", status=1)
    assert "no campaign" in server.command("list")
    assert "no campaign nothing" in server.command("show", "nothing", status=1)
    assert "no game" in server.command("new", "chess", "--seats", "2", status=2)
    assert "one line" in server.command(*new, "--title", "x\r\nBcc: victim@people.example", status=1)
    server.command(*new)
    assert "one" in server.command(*new, status=1)
    assert "no seat" in server.command("export", "one", "bundle.jsonl", "--seat", "nobody", status=1)
    assert not (server.folder / "bundle.jsonl").exists()
    assert "not been thrown" in server.command("audit", "one", "--roll", "99", status=1)
    assert "one" in server.command("list")


def test_a_new_password_leaves_the_rest_of_an_account(server: Server) -> None:
    assert "new password" in server.command("moderator", "add", "anna", "--password", PASSWORD + "!")
    assert "(admin)" in server.command("moderator", "add", "anna", "--password", PASSWORD)
    assert "(admin)" not in server.command("moderator", "add", "anna", "--no-admin", "--password", PASSWORD)
    assert "12 to 200" in server.command("moderator", "add", "bert", "--password", "short", status=1)


@pytest.mark.parametrize(
    ("command", "environment", "said"),
    [
        ("serve", {"PBEM_STORE": "postgresql://nobody:secret-word@127.0.0.1:1/nothing"}, "cannot be used"),
        ("list", {"PBEM_STORE": "postgresql://nobody:secret-word@127.0.0.1:1/nothing"}, "cannot be used"),
        ("worker", {"PBEM_STORE": "nonsense"}, "cannot be used"),
        ("smtp", {"PBEM_VAR": "/dev/null/var"}, "/dev/null"),
        ("web", {"PBEM_SECRET_KEY_FILE": "bad.key"}, "bad.key"),
        ("web", {"PBEM_WEB_PORT": "99999"}, "from 0 to 65535"),
        ("serve", {"PBEM_LISTEN_HOST": "nowhere.invalid"}, "PBEM_LISTEN_PORT"),
        ("worker", {"PBEM_IMAP_HOST": "x", "PBEM_IMAP_PASSWORD_FILE": "/nowhere/word"}, "/nowhere/word"),
    ],
)
def test_what_stands_in_the_way_of_a_start_is_told_in_a_line(tmp_path, command, environment, said) -> None:
    (tmp_path / "bad.key").write_text("no key")
    server = Server(tmp_path)
    if "PBEM_SECRET_KEY_FILE" in environment:
        environment = {"PBEM_SECRET_KEY_FILE": str(tmp_path / "bad.key")}
    done = run(server, PBEM, command, **environment)
    errors = [line for line in done.stderr.splitlines() if line.startswith("Error")]
    assert done.returncode == 1 and len(errors) == 1 and said in errors[0]
    assert "Traceback" not in done.stderr and "secret-word" not in done.stderr
