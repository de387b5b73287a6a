"""People over campaigns: where they sit and sat, what they have chosen, and how they keep their deadlines."""

from __future__ import annotations

from datetime import timedelta

from pbem.campaign import desk as lookup
from pbem.campaign.moderators import Moderators
from tests.campaign.conftest import Desk


def accounts_of(service, clock, *, runs=()):
    accounts = Moderators(service.store)
    accounts.add("anna", "correct horse battery", clock.now())
    accounts.add("root", "correct horse battery", clock.now(), admin=True)
    for campaign in runs:
        accounts.take(campaign, "anna")
    return accounts, accounts.find("anna"), accounts.find("root")


def view(service, accounts, reader, person):
    return lookup.person(service.store, accounts, reader, person)


def test_who_plays_from_one_address_is_one_person_with_one_language_and_time_zone(desk, service):
    first, second = desk().start(), desk().start()
    here, there = service.player(first.id, "seat1"), service.player(second.id, "seat1")
    assert here["person"] == there["person"] != service.player(first.id, "seat2")["person"]
    first.good("seat1", "SET LANGUAGE fr", "SET TIMEZONE Europe/Paris", "SET REPORTS daily AT 7")
    there = service.player(second.id, "seat1")
    assert (there["language"], there["timezone"]) == ("fr", "Europe/Paris")
    assert (there["reports"], service.player(first.id, "seat1")["reports"]) == ("every", "daily")
    assert service.player(second.id, "seat2")["language"] == "en"


def test_whoever_is_known_keeps_what_he_has_chosen_when_he_is_invited_again(desk, service):
    desk().start().good("seat1", "SET LANGUAGE ru")
    other = service.create("toy", 3, kit=service.kit_of(desk().id))
    service.invite(other, "seat2", "Another name", " SEAT1@example.net", language="fr", timezone="Asia/Tokyo")
    found = service.player(other, "seat2")
    assert (found["name"], found["language"], found["timezone"]) == ("Another name", "ru", "UTC")


def test_a_time_zone_chosen_in_one_campaign_times_the_digest_of_another(desk, service, clock):
    first, second = desk().start(), desk().start()
    second.good("seat1", "SET REPORTS daily AT 12")
    second.show_all()
    service.project()
    first.good("seat1", "SET TIMEZONE Asia/Tokyo")
    service.project()
    clock.advance(days=2)
    box = service.store.tables.outbox
    with service.store.write() as connection:
        connection.execute(box.update().values(state="sent"))
    second.good(second.asked_seat(), "DECLINE")
    service.project()
    with service.store.read() as connection:
        rows = connection.execute(box.select().where(box.c.campaign == second.id, box.c.seat == "seat1")).all()
    (last,) = [row.not_before for row in rows if row.kind == "report"][-1:]
    assert last is not None and last[11:13] == "03"  # noon in Tokyo


def test_sittings_tell_from_when_until_when_and_why(desk, service, clock):
    table = desk().start()
    accounts, anna, root = accounts_of(service, clock, runs=[table.id])
    began, person = clock.now(), service.player(table.id, "seat1")["person"]
    clock.advance(days=3)
    service.replace(table.id, "seat1", "New", "new@example.net", "he asked for it")
    service.project()
    (sitting,) = view(service, accounts, anna, person).sittings
    assert (sitting.since, sitting.until, sitting.why) == (began, clock.now(), "replaced")
    new = service.player(table.id, "seat1")["person"]
    (sitting,) = view(service, accounts, anna, new).sittings
    assert (sitting.since, sitting.until, sitting.why, sitting.name) == (clock.now(), None, None, "New")
    token = service.token_of(table.id, "seat1")
    table.tokens["seat1"] = token
    table.good("seat1", "DECLINE INVITATION")
    (sitting,) = view(service, accounts, anna, new).sittings
    assert sitting.why == "declined" and service.player(table.id, "seat1") is None
    assert service.token_of(table.id, "seat1") is None


def test_reliability_counts_over_all_campaigns_and_tells_no_title_of_others(desk, service, clock):
    mine, other = desk().start(), desk(title="Not Anna's").start()
    accounts, anna, root = accounts_of(service, clock, runs=[mine.id])
    person = service.player(mine.id, "seat2")["person"]
    for table in (mine, other):
        for seat in table.seats:
            table.good(seat, "DONE")
    for seat in ("seat1", "seat3"):
        mine.good(seat, f"SHOW {mine.hand(seat)[0]}")
    clock.advance(hours=73)
    service.tick()
    found = view(service, accounts, anna, person)
    assert (found.row.lapses, found.sent, found.elsewhere) == (2, 2, 1)
    assert [(one.campaign, one.sent, one.lapses) for one in found.sittings] == [(mine.id, 1, 1)]
    assert {one.title for one in view(service, accounts, root, person).sittings} == {"Toy", "Not Anna's"}
    rows = {row.person: row for row in lookup.persons(service.store, accounts, anna).rows}
    assert len(rows) == 3 and rows[person].lapses == 2 and rows[person].lapsed_at == clock.now() - timedelta(hours=1)
    answered = service.player(mine.id, "seat1")["person"]
    assert view(service, accounts, anna, answered).sittings[0].lapses == 0
    assert [row.name for row in lookup.persons(service.store, accounts, anna, search="SEAT2@").rows] == ["Player seat2"]


def test_a_moderator_finds_nobody_of_campaigns_that_others_run(desk, service, clock):
    table = desk().start()
    accounts, anna, root = accounts_of(service, clock)
    person = service.player(table.id, "seat1")["person"]
    assert view(service, accounts, anna, person) is None and view(service, accounts, root, "nobody") is None
    assert lookup.persons(service.store, accounts, anna).total == 0
    assert lookup.persons(service.store, accounts, root).total == 3


def test_two_processes_that_invite_the_same_new_person_at_once_make_one_of_him(settings, service, clock, desk):
    from pbem.campaign.service import Service

    other = Service(settings, clock)
    try:
        one, two = Desk(service, clock), Desk(other, clock)
        assert service.player(one.id, "seat3")["person"] == other.player(two.id, "seat3")["person"]
    finally:
        other.close()
