from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from pbem.campaign import outbox, taking, verify
from pbem.campaign.clock import stamp
from pbem.campaign.links import send_desk_link, send_links
from pbem.campaign.moderators import Moderators
from pbem.campaign.notices import DESK_LINK, HOUSE, address_of
from pbem.campaign.service import NoCampaign, NotNow
from pbem.campaign.submissions import Submission, UnknownSender
from pbem.table import sight
from tests import toy


def kinds(service, campaign):
    return [event["kind"] for event in service.events(campaign)]


def messages(service, campaign, kind):
    service.project()
    return [m for m in outbox.messages(service.store, campaign) if m.kind == kind]


def test_a_campaign_from_creation_to_its_end(desk, service, tmp_path):
    table = desk().start()
    assert service.status(table.id).kind == "negotiation"
    table.play_out()
    status = service.status(table.id)
    assert status.state == "finished"
    assert status.deadline is None and not status.waiting_for
    for reader in (None, "seat1"):
        file = tmp_path / f"{reader}.jsonl"
        service.export(table.id, reader, file)
        report = verify.verify(file.open("rb"), [status.head])
        assert report.secret_opened and report.throws and report.opened > 10
        assert report.remarks == []
    finished = next(event for event in service.events(table.id) if event["kind"] == "finished")
    assert [result["place"] for result in finished["public"]["results"]] == [1, 2, 3]
    assert {m.seat for m in messages(service, table.id, "final")} == set(table.seats)
    service.archive(table.id)
    assert service.status(table.id).state == "archived"
    late = table.send("seat1", "DONE")
    assert late.note == "The campaign is over; nothing was done." and not late.ok


def test_bundles_verify_at_every_moment_for_every_reader(desk, service, tmp_path):
    table = desk().start()
    table.show_all()
    for reader in (None, *table.seats):
        file = tmp_path / "bundle"
        service.export(table.id, reader, file)
        report = verify.verify(file.open("rb"), [f"{service.status(table.id).head}@{service.status(table.id).event}"])
        assert not report.secret_opened and len(report.throws) == 9  # the hands that were dealt


def test_what_a_seat_reads_folds_to_what_sight_shows_it(desk, service):
    table = desk().start()
    for _ in range(2):
        table.show_all()
        for seat in [service.status(table.id).waiting_seats[0]]:
            table.good(seat, "DECLINE")
    with service.memory.reading(table.id) as found:
        board = found.play.table.board
        for seat in (None, *table.seats):
            powers = found.campaign.powers_of(seat) if seat else ()
            assert service.view_at(table.id, seat) == sight.view(board, powers)
    assert "?" in service.view_at(table.id, "seat1").piles["hand:blue"]
    assert "?" not in service.view_at(table.id, "seat1").piles["hand:red"]


def test_hidden_cards_are_in_no_part_that_others_read(desk, service):
    table = desk().start()
    hands = {seat: table.hand(seat) for seat in table.seats}
    for reader in (None, *table.seats):
        facts = [fact for event in service.events(table.id, reader) for fact in event["facts"]]
        read = {fact["card"] for fact in facts if fact["fact"] in ("card", "draw") and fact.get("place", "x") != "deck"}
        for seat, cards in hands.items():
            assert read & set(cards) == (set(cards) if reader == seat else set())


def test_invitations_are_accepted_by_mail_or_link_and_only_then_the_game_begins(service, clock):
    id = service.create("toy", 2, kit=toy.kit(), title="Two of us")
    with pytest.raises(NotNow, match="seat1, seat2"):
        service.start(id)
    tokens = {seat: service.invite(id, seat, seat, f"{seat}@example.net") for seat in ("seat1", "seat2")}
    with pytest.raises(NotNow, match="offered to seat1"):
        service.invite(id, "seat1", "Another", "another@example.net")
    assert service.seat_of(id, tokens["seat1"]) == "seat1"
    again = service.invite(id, "seat1", "Another", "another@example.net", instead=True)
    assert service.seat_of(id, tokens["seat1"]) is None and service.seat_of(id, again) == "seat1"
    assert service.token_of(id, "seat1") == again
    answer = service.submit(Submission(id, ["accept invitation"], clock.now(), "mail", token=again))
    assert answer.ok and service.status(id).seats["seat1"]["accepted"]
    twice = service.submit(Submission(id, ["ACCEPT INVITATION"], clock.now(), "mail", token=again))
    assert twice.lines[0].reason == "the seat is yours already"
    with pytest.raises(NotNow):
        service.invite(id, "seat1", "Thief", "thief@example.net")
    service.decline(id, "seat2")
    service.accept(id, "seat2")
    service.start(id)
    drawn = next(event for event in service.events(id) if event["kind"] == "assigned")
    assert [fact["m"] for fact in drawn["facts"]] == [4, 3]
    assert drawn["public"]["powers"] == {s: h["powers"] for s, h in service.status(id).seats.items()}
    # Of the two for the first seat, the one whose place another took falls: it would go to whoever has the seat now.
    assert sorted(row.seat for row in messages(service, id, "invitation")) == ["seat1", "seat2"]
    assert len(messages(service, id, "opening")) == 2


def test_powers_can_be_chosen_but_not_twice(service):
    id = service.create("toy", 2, kit=toy.kit())
    for wrong in ({"seat1": "red"}, {"seat1": "red", "seat2": "red"}, {"seat1": "red", "seat2": "pink"}):
        with pytest.raises(ValueError):
            service.assign(id, wrong)
    assert service.assign(id, {"seat1": "red", "seat2": "black"}) == {"seat1": ["red"], "seat2": ["black"]}


@pytest.mark.parametrize(
    "wrong",
    [{"seats": 9}, {"scenario": "no"}, {"options": {"x": 1}}, {"policy": {"missed": "never"}}, {"campaign": "A b"},
     {"policy": {"times": {"default": 0}}}, {"policy": {"typo": 1}}],
)  # fmt: skip
def test_a_campaign_with_wrong_values_is_not_made(service, wrong):
    with pytest.raises(ValueError):
        service.create("toy", **{"seats": 3, "kit": toy.kit(), **wrong})
    assert service.project() == 0


def test_two_campaigns_cannot_have_one_id(service):
    service.create("toy", 2, kit=toy.kit(), campaign="same")
    with pytest.raises(ValueError, match="already"):
        service.create("toy", 2, kit=toy.kit(), campaign="same")


def test_strangers_are_told_nothing(desk, service, clock):
    table = desk().start()
    other = desk()
    for wrong in ("nonsense", other.tokens["seat1"], ""):
        with pytest.raises(UnknownSender):
            table.send("seat1", "DONE", token=wrong)
        assert service.seat_of(table.id, wrong) is None
    with pytest.raises(UnknownSender):
        service.submit(Submission("nowhere", ["DONE"], clock.now(), seat="seat1"))
    with pytest.raises(NoCampaign):
        service.status("nowhere")


def test_a_pause_keeps_the_time_that_is_left(desk, service, clock):
    table = desk().start()
    clock.advance(hours=8)
    service.pause(table.id, "holidays")
    assert service.status(table.id).deadline is None
    assert "paused: holidays" in table.send("seat1", "DONE").lines[0].reason
    clock.advance(days=30)
    assert service.tick() == 0
    service.resume(table.id)
    assert (service.status(table.id).deadline - clock.now()).total_seconds() == 40 * 3600
    assert len(messages(service, table.id, "pause")) == len(messages(service, table.id, "resume")) == 3
    with pytest.raises(NotNow):
        service.resume(table.id)


def test_a_deadline_is_extended_and_all_are_told(desk, service):
    table = desk().start()
    before = service.status(table.id).deadline
    assert (service.extend(table.id, 24, "storm") - before).total_seconds() == 86_400
    assert messages(service, table.id, "extension")[0].data["reason"] == "storm"
    with pytest.raises(ValueError):
        service.extend(table.id, -1000, "no")


def test_a_replaced_player_speaks_no_more(desk, service, clock):
    table = desk().start()
    table.good("seat1", "STANDING show: SHOW card 01")
    waiting = service.receive(Submission(table.id, ["DONE"], clock.now(), token=table.tokens["seat1"]))
    new = service.replace(table.id, "seat1", "New", "new@example.net", "gone quiet", timezone="Europe/Paris")
    with pytest.raises(UnknownSender):
        table.send("seat1", "DONE")
    service.take_up(table.id)
    assert service.answer(table.id, waiting).note == "This seat has a new player since; nothing was done."
    table.tokens["seat1"] = new
    table.good("seat1", "DONE")
    assert service.standing(table.id, "seat1") == []
    assert service.player(table.id, "seat1")["timezone"] == "Europe/Paris"
    assert {m.seat for m in messages(service, table.id, "replacement")} == {"seat2", "seat3"}
    assert [m.seat for m in messages(service, table.id, "takeover")] == ["seat1"]
    (farewell,) = messages(service, table.id, "farewell")
    assert farewell.data["address"] == "seat1@example.net" and farewell.data["reason"] == "gone quiet"


def test_a_newcomer_may_decline_until_he_plays(desk, service):
    table = desk().start()
    token = service.replace(table.id, "seat1", "New", "new@example.net", "gone quiet")
    table.tokens["seat1"] = token
    table.good("seat1", "DECLINE INVITATION")
    assert not service.status(table.id).seats["seat1"]["accepted"] and service.player(table.id, "seat1") is None
    assert [m.data["seat"] for m in messages(service, table.id, "declined")] == ["seat1"]
    with pytest.raises(UnknownSender):
        table.send("seat1", "DONE")
    table.tokens["seat1"] = service.replace(table.id, "seat1", "Newer", "newer@example.net", "")
    table.good("seat1", "DONE")
    assert "has begun" in table.send("seat1", "DECLINE INVITATION").lines[0].reason
    assert service.status(table.id).seats["seat1"]["accepted"]


def test_who_is_given_a_seat_before_the_beginning_is_asked_like_everybody(desk, service):
    table = desk()
    table.tokens["seat1"] = service.replace(table.id, "seat1", "New", "new@example.net", "a mistake")
    assert not service.status(table.id).seats["seat1"]["accepted"]
    newest, *others = messages(service, table.id, "invitation")
    assert newest.seat == "seat1" and "seat1" not in [row.seat for row in others]
    table.good("seat1", "ACCEPT INVITATION")
    assert service.status(table.id).seats["seat1"]["accepted"]


def test_a_campaign_ended_early_opens_everything(desk, service, tmp_path):
    table = desk().start()
    service.finish(table.id, "no time")
    file = tmp_path / "bundle"
    service.export(table.id, None, file)
    assert verify.verify(file.open("rb")).secret_opened
    assert "?" not in service.view_at(table.id).piles["hand:red"]


def test_a_person_can_be_erased_and_the_chain_still_verifies(desk, service, tmp_path):
    table = desk().start()
    table.good("seat1", "PRESS TO blue: my address is 1 Main Street", raw=b"From: someone")
    assert service.erase_person(service.player(table.id, "seat1")["person"]) == 1
    assert service.player(table.id, "seat1") is None and kinds(service, table.id)[-2:] == ["vacated", "erased"]
    assert service.press(table.id, "seat2")[0]["text"] is None
    with service.store.read() as connection:  # with its salt, words could be tried until the commitment fits
        assert connection.execute(select(service.store.tables.press.c.salt)).scalars().all() == [None]
    assert service.raw_mail(table.id, 1) == b""
    file = tmp_path / "bundle"
    service.export(table.id, "seat1", file)
    verify.verify(file.open("rb"))
    assert b"Main Street" not in file.read_bytes()


def test_the_moderator_reads_hidden_things_only_on_record(desk, service):
    table = desk().start()
    started = kinds(service, table.id).index("started") + 1
    seen = service.ask_referee(table.id, started, "a dispute")
    assert any(
        fact["fact"] == "card" and fact["place"] == "hand:blue" and fact["card"] != "?" for fact in seen["facts"]
    )
    assert kinds(service, table.id)[-1] == "asked_referee"


def test_all_players_are_told_that_the_moderator_looked_at_hidden_things(desk, service):
    table = desk().start()
    service.ask_referee(table.id, 3, "was it dealt twice?")
    service.disclose(table.id, "who holds it?")
    told = messages(service, table.id, "asked_referee")
    assert sorted(m.seat for m in told) == sorted(table.seats * 2)
    assert {m.data["reason"] for m in told} == {"was it dealt twice?", "who holds it?"}


def test_what_is_for_the_moderator_reaches_the_accounts_that_run_the_campaign(desk, service, clock, monkeypatch):
    table, accounts = desk().start(), Moderators(service.store)
    for name, address in [("anna", "anna@example.net"), ("bert", "bert@example.net"), ("carl", ""),
                          ("anna-too", "Anna@example.net")]:  # fmt: skip
        accounts.add(name, "correct horse battery", clock.now(), address=address)
    for name in ("anna", "carl", "anna-too"):
        accounts.take(table.id, name)
    monkeypatch.setattr(taking, "take", lambda *_: 1 / 0)
    table.send("seat1", "DONE")
    told = messages(service, table.id, "set_aside")
    assert len(told) == 2 and {m.seat.partition(".")[0] for m in told} == {"moderator"}
    assert {address_of(service.store, m.seat, "house@example.net").lower() for m in told} == {
        "house@example.net", "anna@example.net"
    }
    assert all(m.data["inbox"] == 1 for m in told)
    assert address_of(service.store, "moderator.anna", "ANNA@example.net") == ""  # told at that address already


def test_a_link_to_log_in_with_is_good_once_and_not_after_its_time(service, clock):
    accounts = Moderators(service.store)
    accounts.add("anna", "correct horse battery", clock.now(), address="anna@example.net")
    good = []
    for minutes in (29, 31):
        assert send_desk_link(service, "anna@example.net") == 1 and send_desk_link(service, "anna") == 0
        clock.advance(minutes=minutes)
        token = messages(service, HOUSE, DESK_LINK)[0].data["token"]
        good += [accounts.log_in_by_link(token, clock.now()) for _ in range(2)]
    assert [found is not None and found.name for found in good] == ["anna", False, False, False]


def test_of_a_person_that_is_erased_no_mail_is_kept(desk, service, clock):
    table = desk().start()
    table.good("seat1", "PRESS TO blue: my address is 1 Main Street", raw=b"From: someone", message_id="<me@home>")
    service.project()
    for message in outbox.claim_due(service.store, clock.now(), 1000):
        said = f"{message.seat} Player seat1 1 Main Street".encode()
        outbox.store_rendered(service.store, message, said, clock.now())
        if message.kind == "opening":
            outbox.mark_sent(service.store, [message.number], clock.now())
    strays = service.store.tables.strays
    row = {"received_at": stamp(clock.now()), "subject": "x", "reason": "x", "answered": 0}
    with service.store.write() as connection:
        for n, (sender, campaign, content) in enumerate([
            ("seat1@example.net", None, b"no token"), ("mailer-daemon@x", table.id, b"to SEAT1@example.net: no"),
            ("seat2@example.net", table.id, b"no token"),
        ]):  # fmt: skip
            values = {**row, "sender": sender, "campaign": campaign, "content": content, "same": str(n)}
            connection.execute(insert(strays).values(**values))
    service.erase_person(service.player(table.id, "seat1")["person"])
    kept = outbox.messages(service.store, table.id, limit=1000)
    assert not any(m.rendered for m in kept)
    assert {m.state for m in kept if m.seat == "seat1"} == {"sent", "void"}
    assert {m.state for m in kept if m.seat == "seat2"} == {"sent", "claimed"}  # these are written anew, without him
    with service.store.read() as connection:
        assert list(connection.execute(select(strays.c.sender)).scalars()) == ["seat2@example.net"]
    (row,) = [row for row in service.inbox(table.id) if row["seat"] == "seat1"]
    assert row["message_id"] is None and row["lines"] == [] and service.raw_mail(table.id, row["number"]) == b""


def test_names_that_no_store_can_hold_are_nobody_s(service, clock):
    accounts = Moderators(service.store)
    assert accounts.find("a\0b") is None and accounts.log_in("a\0b", "no matter") is None
    assert send_links(service, "a\0b@example.net") == 0 and send_desk_link(service, "a\0b") == 0


def test_a_void_token_reads_nothing_in_a_process_that_still_has_the_campaign_in_memory(desk, service, settings, clock):
    from pbem.campaign.service import Service

    table = desk().start()
    elsewhere = Service(settings, clock)
    old = table.tokens["seat1"]
    assert elsewhere.seat_of(table.id, old) == "seat1"
    elsewhere.status(table.id)
    new = service.replace(table.id, "seat1", "Another", "another@example.net")
    assert elsewhere.seat_of(table.id, old) is None and elsewhere.seat_of(table.id, new) == "seat1"
    with pytest.raises(UnknownSender):
        elsewhere.submit(Submission(table.id, ["STATUS"], clock.now(), "mail", token=old))
    # a logged-in page names the seat: it speaks for who holds it now
    assert elsewhere.submit(Submission(table.id, ["STATUS"], clock.now(), seat="seat1")).ok
    elsewhere.close()
