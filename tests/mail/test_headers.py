"""Headers of our mails decode to exactly what was meant, whatever the language and the length."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.mail.compose import header_value
from pbem.mail.headers import POLICY

LONG = "PAXPR04MB12345678901234567890ABCDEF01234567890ABCDEF@PAXPR04MB8765.eurprd04.prod.outlook.com"
WORDS = st.sampled_from([
    "[Зима]", "Ваш", "ход:", "разместить", "войско", "в", "германских", "государствах", "à", "placer", "l’armée",
    "États", "allemands", "Your", "move:", "Place", "a", "=?utf-8?q?x?=", "…", "日本語", "🎲🎲", "x" * 90, "“it”",
    "a,b",
])  # fmt: skip


def written(name: str, value: str | Address) -> bytes:
    message = EmailMessage(policy=POLICY)
    message[name] = value
    return message.as_bytes()


def well_formed(raw: bytes) -> None:
    lines = raw.split(b"\r\n\r\n")[0].split(b"\r\n")
    assert all(line.strip() and len(line) <= 78 for line in lines)
    assert lines[0].partition(b":")[2].strip()
    assert raw.isascii()


@settings(max_examples=400, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=24).map(" ".join) | st.text(min_size=1))
@example("[Зима] Ход: " + "слово a б " * 20)
@example("Anna et l’été " * 12)
def test_a_subject_decodes_to_what_was_meant(text: str) -> None:
    text = header_value(text, 150)
    if not text:
        return
    raw = written("Subject", text)
    well_formed(raw)
    assert message_from_bytes(raw, policy=policy.default)["Subject"] == text
    old = message_from_bytes(raw)["Subject"].replace("\r\n", "")
    assert str(make_header(decode_header(old))) == text  # as programs read it that know RFC 2047 only


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=8).map(" ".join) | st.text(min_size=1))
@example('Ann "the (old)" O\\Neil, Jr.')
def test_a_name_decodes_to_what_was_meant_and_its_address_stays(text: str) -> None:
    name = header_value(text, 80)
    if not name:
        return
    raw = written("To", Address(name, "seat1", "players.example.org"))
    well_formed(raw)
    found, address = parseaddr(message_from_bytes(raw)["To"].replace("\r\n", ""))
    assert (str(make_header(decode_header(found))), address) == (name, "seat1@players.example.org")


@pytest.mark.parametrize("name", ["In-Reply-To", "References", "Message-ID"])
def test_a_long_identifier_stays_as_it_is(name: str) -> None:
    raw = written(name, f"<{LONG}>")
    assert raw == f"{name}: <{LONG}>\r\n\r\n".encode()
    many = written("References", f"<{LONG}> <a@b> <{LONG}>")
    assert message_from_bytes(many)["References"].split() == [f"<{LONG}>", "<a@b>", f"<{LONG}>"]
