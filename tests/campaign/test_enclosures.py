"""Pictures of outgoing mails: kept once, given back byte for byte, dropped when no mail needs them any more."""

from __future__ import annotations

import random
import threading
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from sqlalchemy import func, select

from pbem.campaign import enclosures, outbox
from pbem.campaign.service import Service

PICTURE = random.Random(1).randbytes(150_001)
OTHER = random.Random(2).randbytes(90_000)


def mail(subject: str, *pictures: bytes) -> bytes:
    """A mail as the courier writes it."""
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = subject
    message.set_content("text\n" * 300, cte="quoted-printable")
    message.add_alternative("<p>text</p>\n" * 300, subtype="html", cte="quoted-printable")
    for number, picture in enumerate(pictures):
        message.get_payload()[1].add_related(picture, "image", "png", cid=f"<{number}@pbem>")
    return message.as_bytes()


def write(service: Service, clock, *pictures: bytes) -> dict[int, bytes]:
    """Write all that is due, each message with these pictures; returns what was written, by number."""
    written = {}
    for message in outbox.claim_due(service.store, clock.now(), 1000):
        if message.rendered is None:
            written[message.number] = mail(f"number {message.number}", *pictures)
            assert outbox.store_rendered(service.store, message, written[message.number], clock.now())
    return written


def kept(service: Service) -> tuple[int, int]:
    """How many pictures the store holds, and how many bytes in pictures and mails."""
    pictures, box = service.store.tables.enclosures, service.store.tables.outbox
    with service.store.read() as connection:
        number, size = connection.execute(select(func.count(), func.sum(func.length(pictures.c.content)))).one()
        return number, (size or 0) + (connection.execute(select(func.sum(func.length(box.c.rendered)))).scalar() or 0)


def read(service: Service) -> dict[int, bytes | None]:
    return {message.number: message.rendered for message in outbox.messages(service.store, limit=1000)}


def test_a_picture_that_many_mails_hold_is_kept_once_and_every_mail_comes_back_as_it_was(desk, service, clock):
    desk().start()
    service.project()
    written = write(service, clock, PICTURE, OTHER)
    assert len(written) > 3
    number, size = kept(service)
    assert number == 2
    assert size < len(PICTURE) + len(OTHER) + 1_000 * len(written) < sum(map(len, written.values())) / 4
    clock.advance(seconds=outbox.CLAIM_SECONDS + 1)  # the process has died; another one takes up what it wrote
    again = outbox.claim_due(service.store, clock.now(), 1000)
    assert {message.number: message.rendered for message in again} == written


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"Subject: none\r\n\r\nNo picture.\r\n",
        b"A" * 76 + b"\r\n",
        (b"A" * 76 + b"\r\n") * 80,
        (b"A" * 76 + b"\r\n") * 80 + b"AB==\r\n",  # bits beyond its end that no encoder writes
        (b"A" * 76 + b"\r\n") * 80 + b"AAA\r\n",
        (b"A" * 76 + b"\r\n") * 80 + b"AA==\r\nafter",
        (b"A" * 76 + b"\n") * 80,
        (b"A" * 76 + b"\r\n") * 60 + b"between\r\n" + (b"B" * 76 + b"\r\n") * 60,
        b"\0packed\nis how no mail begins",
    ],
)
def test_whatever_is_written_comes_back_as_it_was(desk, service, clock, raw):
    desk().start()
    service.project()
    message = outbox.claim_due(service.store, clock.now(), 1)[0]
    assert outbox.store_rendered(service.store, message, raw, clock.now())
    assert read(service)[message.number] == raw


def test_a_mail_that_is_written_anew_has_its_new_pictures(desk, service, clock):
    desk().start()
    service.project()
    written = write(service, clock, PICTURE, OTHER)
    first = min(written)
    outbox.render_again(service.store, first)
    (message,) = [m for m in outbox.messages(service.store, limit=1000) if m.number == first]
    assert message.rendered is None
    anew = mail("to another player", OTHER)
    assert outbox.store_rendered(service.store, message, anew, clock.now())
    assert read(service)[first] == anew


def test_a_picture_is_dropped_when_it_is_old_and_no_mail_that_may_go_out_needs_it(desk, service, clock):
    desk().start()
    service.project()
    written = write(service, clock, PICTURE)
    waiting, failing, *sent = sorted(written)
    outbox.mark_sent(service.store, sent, clock.now())
    outbox.mark_failed(service.store, failing, "550 no", clock.now(), for_good=True)
    clock.advance(days=8)
    assert enclosures.forget(service.store, clock.now()) == 0  # one waits, and one can be tried again
    outbox.mark_sent(service.store, [waiting], clock.now())
    assert enclosures.forget(service.store, clock.now()) == 0
    assert outbox.retry(service.store, failing)
    assert {m.number: m.rendered for m in outbox.claim_due(service.store, clock.now()) if m.rendered} == {
        failing: written[failing]
    }
    outbox.mark_sent(service.store, [failing], clock.now())
    assert enclosures.forget(service.store, clock.now()) == 1 and kept(service)[0] == 0
    before, after = (
        [
            part.get_content()
            for part in message_from_bytes(raw, policy=policy.default).walk()
            if not part.is_multipart()
        ]
        for raw in (written[failing], read(service)[failing] or b"")
    )
    assert before[:2] == after[:2] and before[2:] == [PICTURE] and after[2:] == [b""]


def test_a_picture_that_is_in_use_stays(desk, service, clock):
    table = desk().start()
    for _ in range(3):
        service.project()
        outbox.mark_sent(service.store, list(write(service, clock, PICTURE)), clock.now())
        clock.advance(days=5)
        assert enclosures.forget(service.store, clock.now()) == 0
        table.service.pause(table.id, "a rest")
        table.service.resume(table.id)
    clock.advance(days=3)
    assert enclosures.forget(service.store, clock.now()) == 1


def test_an_old_picture_that_a_mail_is_just_being_written_with_is_not_dropped(desk, service, clock):
    table = desk().start()
    service.project()
    outbox.mark_sent(service.store, list(write(service, clock, PICTURE)), clock.now())
    clock.advance(days=8)
    table.service.pause(table.id, "a rest")
    service.project()
    message = next(m for m in outbox.claim_due(service.store, clock.now(), 1000) if m.rendered is None)
    raw, dropped = mail("again", PICTURE), []
    tidying = threading.Thread(target=lambda: dropped.append(enclosures.forget(service.store, clock.now())))
    with service.store.write() as connection:
        box = service.store.tables.outbox
        packed = enclosures.keep(service.store, connection, message.number, raw, clock.now())
        tidying.start()
        tidying.join(0.5)  # it waits for us, or finds nothing old
        changed = box.update().where(box.c.number == message.number)
        connection.execute(changed.values(rendered=packed, state="rendered"))
    tidying.join()
    assert dropped == [0] and read(service)[message.number] == raw


def test_a_mail_that_an_earlier_program_kept_whole_goes_out_as_it_was_written(desk, settings, service, clock):
    desk().start()
    service.project()
    store = service.store
    message = outbox.claim_due(store, clock.now(), 1)[0]
    raw, box = mail("from before", PICTURE), store.tables.outbox
    with store.write() as connection:
        connection.execute(box.update().where(box.c.number == message.number).values(rendered=raw, state="rendered"))
    clock.advance(seconds=outbox.CLAIM_SECONDS + 1)
    opened = Service(settings, clock)
    try:
        claimed = {m.number: m.rendered for m in outbox.claim_due(opened.store, clock.now(), 1000)}
        assert claimed[message.number] == raw
        other = next(m for m in outbox.messages(opened.store) if m.number in claimed and m.rendered is None)
        new = mail("new", PICTURE)
        assert outbox.store_rendered(opened.store, other, new, clock.now())
        assert read(opened)[other.number] == new
    finally:
        opened.close()
