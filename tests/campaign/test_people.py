"""People over campaigns: where they sit and sat, what they have chosen, and how they keep their deadlines."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.campaign import lookup, outbox
from pbem.campaign.acts import NotNow
from pbem.campaign.guard import HoldsSecret
from pbem.campaign.moderators import Moderators
from pbem.campaign.new_address import AddressTaken, Wanted
from pbem.table.orders import Refused
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
    first.good("seat1", "SET LANGUAGE fr", "SET TIMEZONE Europe/Paris", "SET REPORTS daily AT 7", "SET BOARD none")
    there = service.player(second.id, "seat1")
    assert (there["language"], there["timezone"], there["board"]) == ("fr", "Europe/Paris", "none")
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


# --- absences


def to_the_show(table):
    for seat in table.seats:
        table.good(seat, "DONE")
    return table.service.status(table.id).deadline


def test_in_a_round_of_three_an_absence_moves_the_clock_of_its_own_seat_alone(desk, service, clock):
    table = desk().start()
    deadline = to_the_show(table)
    first, last = clock.now() + timedelta(days=1), clock.now() + timedelta(days=5)
    table.good("seat2", f"AWAY FROM {first:%Y-%m-%d} TO {last:%Y-%m-%d}")
    away = timedelta(days=5)  # whole days, from the beginning of the first to the end of the last
    assert service.status(table.id).deadlines == {"seat1": deadline, "seat2": deadline + away, "seat3": deadline}
    (extended,) = [e["public"] for e in service.events(table.id) if e["kind"] == "extended"]
    assert extended["powers"] == ["blue"] and extended["away"] is True
    service.project()
    box = service.store.tables.outbox
    with service.store.read() as connection:
        told = connection.execute(box.select().where(box.c.kind == "extension")).all()
    assert {row.seat for row in told} == {"seat2"}  # nobody else's time has moved
    for seat in ("seat1", "seat3"):
        table.good(seat, f"SHOW {table.hand(seat)[0]}")
    clock.set(deadline + timedelta(hours=1))
    service.tick()
    assert service.status(table.id).kind == "show"
    clock.set(deadline + away + timedelta(hours=1))
    service.tick()
    assert service.status(table.id).kind != "show"


def test_an_absence_counts_in_all_campaigns_and_for_what_is_asked_later(desk, service, clock):
    table, other = desk().start(), desk().start()
    deadline = to_the_show(other)
    days = [clock.now() + timedelta(days=n) for n in (0, 3)]
    table.good("seat1", f"AWAY FROM {days[0]:%Y-%m-%d} TO {days[1]:%Y-%m-%d}")
    assert service.status(other.id).deadlines["seat1"] == deadline
    service.tick()
    until = days[1].replace(hour=0) + timedelta(days=1)
    assert service.status(other.id).deadlines["seat1"] == deadline + (until - clock.now())
    assert service.status(other.id).deadlines["seat2"] == deadline
    assert service.tick() == 0
    assert service.status(table.id).deadlines["seat1"] == service.status(table.id).deadlines["seat2"]  # a window
    to_the_show(table)
    assert service.status(table.id).deadlines["seat1"] == until + timedelta(hours=72)
    service.memory.drop(table.id)
    assert service.status(table.id).deadlines["seat1"] == until + timedelta(hours=72)


def test_an_absence_that_ends_in_one_campaign_is_over_in_all(desk, service, clock):
    table, other = desk().start(), desk().start()
    days = [f"{clock.now() + timedelta(days=n):%Y-%m-%d}" for n in (0, 5)]
    table.good("seat1", f"AWAY FROM {days[0]} TO {days[1]}")
    service.tick()
    clock.advance(hours=2)
    table.good("seat1", "AWAY OFF")
    clock.advance(hours=1)
    service.tick()
    to_the_show(other)
    deadlines = service.status(other.id).deadlines
    assert deadlines["seat1"] == deadlines["seat2"] == clock.now() + timedelta(hours=72)


def test_a_campaign_sets_how_far_an_absence_moves_a_deadline(desk, service, clock):
    strict, none = desk(policy={"absence_days": 2}).start(), desk(policy={"absence_days": 0}).start()
    for table in (strict, none):
        deadline = to_the_show(table)
        days = [clock.now() + timedelta(days=n) for n in (-1, 30)]
        table.good("seat1", f"AWAY FROM {days[0]:%Y-%m-%d} TO {days[1]:%Y-%m-%d}")
        more = timedelta(days=2) if table is strict else timedelta(0)
        assert service.status(table.id).deadlines["seat1"] == deadline + more


def test_an_absence_that_is_prolonged_adds_what_is_new_and_coming_back_moves_nothing(desk, service, clock):
    table = desk().start()
    deadline = to_the_show(table)
    days = [f"{clock.now() + timedelta(days=n):%Y-%m-%d}" for n in (1, 2, 4)]
    table.good("seat1", f"AWAY FROM {days[0]} TO {days[1]}")
    table.good("seat1", f"AWAY FROM {days[0]} TO {days[2]}")
    later = deadline + timedelta(days=4)
    assert service.status(table.id).deadlines["seat1"] == later
    table.good("seat1", "AWAY OFF")
    assert service.status(table.id).deadlines["seat1"] == later
    table.good("seat1", f"SHOW {table.hand('seat1')[0]}")
    assert table.send("seat1", "AWAY OFF").lines[0].code == "not_away"


def test_an_absence_told_in_a_pause_counts_when_the_game_goes_on(desk, service, clock):
    table = desk().start()
    to_the_show(table)
    service.pause(table.id, "holidays")
    days = [f"{clock.now() + timedelta(days=n):%Y-%m-%d}" for n in (1, 4)]
    table.good("seat1", f"AWAY FROM {days[0]} TO {days[1]}")
    clock.advance(days=2)
    service.resume(table.id)
    deadlines = service.status(table.id).deadlines
    assert deadlines["seat2"] == clock.now() + timedelta(hours=72)
    back = (clock.now() + timedelta(days=3)).replace(hour=0)
    assert deadlines["seat1"] == back + timedelta(hours=72)


def test_days_that_cannot_be_are_refused(desk, service, clock):
    table = desk().start()
    for line, code in (
        ("AWAY FROM tomorrow TO 2025-01-09", "no_day"), ("AWAY FROM 2025-01-09 TO 2025-01-08", "away_backwards"),
        ("AWAY FROM 2024-12-01 TO 2024-12-08", "away_past"), ("AWAY FROM 2025-01-02 TO 2025-09-08", "away_too_long"),
        ("AWAY FROM 0001-01-01 TO 9999-12-31", "no_day"), ("AWAY OFF", "not_away"),
    ):  # fmt: skip
        assert table.send("seat1", line).lines[0].code == code, line
    assert service.player(table.id, "seat1")["away_until"] is None


def test_days_are_those_of_the_players_time_zone(desk, service, clock):
    table = desk().start()
    table.good("seat1", "SET TIMEZONE Asia/Tokyo", "AWAY FROM 2025-01-05 TO 2025-01-06")
    player = service.player(table.id, "seat1")
    assert (player["away_from"][:13], player["away_until"][:13]) == ("2025-01-04T15", "2025-01-06T15")


# --- seats without a player


def test_silence_answers_at_once_for_a_silent_seat_and_it_misses_nothing(desk, service, clock):
    table = desk().start()
    to_the_show(table)
    token = table.tokens["seat2"]
    service.vacate(table.id, "seat2", "nobody is to be found", silent=True)
    assert service.seat_of(table.id, token) is None and service.player(table.id, "seat2") is None
    assert service.status(table.id).seats["seat2"]["empty"] == "silent"
    assert service.status(table.id).kind == "show"
    for seat in ("seat1", "seat3"):
        table.good(seat, f"SHOW {table.hand(seat)[0]}")
    assert service.status(table.id).kind != "show"
    expired = [e for e in service.events(table.id) if e["kind"] == "expired"]
    assert expired[0]["public"]["missed"] == []
    for _ in range(40):  # the rest of the game asks the others alone
        status = service.status(table.id)
        if status.state != "running":
            break
        for seat in ("seat1", "seat3"):
            for asked in service.asked(table.id, seat):
                if not asked.answered:
                    table.good(seat, asked.examples[0])
        assert "seat2" not in {ask["seat"] for ask in status.asks} or len(status.asks) > 1
    assert service.status(table.id).state == "finished"


def test_a_vacant_seat_keeps_its_time_and_a_new_player_finds_it(desk, service, clock):
    table = desk(policy={"missed": "grace", "grace_hours": 9}).start()
    deadline = to_the_show(table)
    service.vacate(table.id, "seat2", "he left", silent=False)
    assert service.status(table.id).deadlines["seat2"] == deadline
    clock.advance(hours=70)
    table.tokens["seat2"] = service.replace(table.id, "seat2", "New", "new@example.net")
    assert service.status(table.id).seats["seat2"]["empty"] is None
    table.good("seat2", f"SHOW {table.hand('seat2')[0]}")
    service.vacate(table.id, "seat3", "he left as well", silent=False)
    clock.advance(hours=3)
    service.tick()
    deadlines = service.status(table.id).deadlines
    assert deadlines["seat1"] == clock.now() + timedelta(hours=9)
    assert deadlines["seat3"] == deadline  # grace is for people
    table.good("seat1", f"SHOW {table.hand('seat1')[0]}")
    assert service.status(table.id).kind != "show"


def test_a_game_begins_with_a_silent_seat_and_who_lost_it_and_all_others_are_told(desk, service, clock):
    table = desk()
    service.vacate(table.id, "seat3", "only two will play", silent=True)
    table.start()
    assert service.status(table.id).state == "running"
    for seat in ("seat1", "seat2"):
        table.good(seat, "DONE")
    assert service.status(table.id).kind == "show"  # the window does not wait for him
    service.project()
    box = service.store.tables.outbox
    with service.store.read() as connection:
        rows = connection.execute(box.select().where(box.c.kind.in_(["farewell", "replacement"]))).all()
    assert {(row.kind, row.seat) for row in rows} == {
        ("farewell", "former.seat3.2"), ("replacement", "seat1"), ("replacement", "seat2")
    }  # fmt: skip


def test_who_leaves_a_running_game_that_he_took_over_leaves_it_vacant(desk, service):
    table = desk().start()
    table.tokens["seat1"] = service.replace(table.id, "seat1", "New", "new@example.net")
    table.good("seat1", "DECLINE INVITATION")
    assert service.status(table.id).seats["seat1"]["empty"] == "vacant"


def test_nobody_gets_two_seats_of_a_campaign_however_he_is_invited(desk, service):
    table = desk()
    with pytest.raises(NotNow, match="already: nobody holds two"):
        service.replace(table.id, "seat2", "Again", " SEAT1@example.net")
    with pytest.raises(NotNow, match="already: nobody holds two"):
        service.invite(service_with_one(service, table), "seat2", "Again", "Seat1@Example.net")


def test_who_comes_after_reads_no_messages_that_were_between_others(desk, service, clock):
    table = desk().start()
    table.good("seat2", "PRESS TO red: our secret")
    table.good("seat1", "PRESS TO blue: mine too")
    table.good("seat2", "PRESS TO ALL: to everybody")
    clock.advance(minutes=1)
    texts = ["our secret", "mine too", "to everybody"]
    table.tokens["seat1"] = service.replace(table.id, "seat1", "Player seat1", "seat1@example.net")
    assert [one["text"] for one in service.press(table.id, "seat1")] == texts, "a new link for the same player"
    clock.advance(minutes=1)
    table.tokens["seat1"] = service.replace(table.id, "seat1", "New", "new@example.net")
    table.good("seat2", "PRESS TO red: for you")
    assert [one["text"] for one in service.press(table.id, "seat1")] == ["to everybody", "for you"]
    assert [one["text"] for one in service.press(table.id, "seat2")] == [*texts, "for you"], "who wrote it has it still"
    service.vacate(table.id, "seat1", "gone")
    assert [one["text"] for one in service.press(table.id, "seat1")] == ["to everybody"]


def test_nobody_is_written_to_at_the_reply_address_of_a_seat(desk, service):
    table, other = desk().start(), desk().start()
    reply = f"{other.id}+{other.tokens['seat2'].upper()}@example.org"
    with pytest.raises(HoldsSecret):
        service.replace(table.id, "seat1", "Loop", reply)
    with pytest.raises(HoldsSecret):
        service.new_addresses.ask(table.id, "seat1", reply)
    with pytest.raises(HoldsSecret):
        service.new_addresses.change(service.player(table.id, "seat1")["person"], reply)
    assert service.player(table.id, "seat1")["address"] == "seat1@example.net"


def service_with_one(service, table):
    """A campaign that invites, one seat of which is offered to the first player of a table."""
    campaign = service.create("toy", 3, kit=service.kit_of(table.id))
    service.invite(campaign, "seat1", "One", "seat1@example.net")
    return campaign


def test_who_declined_and_got_another_seat_cannot_take_the_first_as_well(desk, service):
    campaign = service_with_one(service, desk())
    service.decline(campaign, "seat1")
    service.invite(campaign, "seat2", "One", "seat1@example.net")
    with pytest.raises(Refused, match="other_seat_yours"):
        service.accept(campaign, "seat1")
    service.accept(campaign, "seat2")
    with pytest.raises(NotNow, match="already: nobody holds two"):
        service.invite(campaign, "seat1", "One", "seat1@example.net")


# --- another address


def asked_link(service, kind="address_asked"):
    """The token in the last mail that asks a player at his old address, or whether a new one is his."""
    return max((row for row in due(service) if row.kind == kind), key=lambda row: row.number).data["token"]


def allowed_link(service):
    """The token in the link to the new address, after a yes from the old one."""
    assert service.new_addresses.allow(asked_link(service))
    return asked_link(service, "new_address")


def due(service):
    return outbox.claim_due(service.store, service.clock.now(), webhooks=False)


def test_a_link_to_another_address_counts_for_a_day_and_the_last_one_alone(desk, service, clock):
    table, addresses = desk().start(), service.new_addresses
    assert addresses.ask(table.id, "seat1", "one@example.net")
    assert not addresses.ask(table.id, "seat1", "two@example.net"), "a moment later"
    first = asked_link(service)
    clock.advance(minutes=6)
    assert addresses.ask(table.id, "seat1", "three@example.net")
    second = asked_link(service)
    assert addresses.wanted(first) is None and not addresses.allow(first)
    assert addresses.wanted(second) == Wanted("three@example.net", is_allowed=False)
    assert not addresses.confirm(second), "the link to the old address alone moves nobody"
    clock.advance(hours=23)
    assert addresses.allow(second)
    third = asked_link(service, "new_address")
    assert addresses.wanted(second) is None and not addresses.allow(second) and not addresses.stop(third)
    assert addresses.wanted(third) == Wanted("three@example.net", is_allowed=True)
    clock.advance(days=1, minutes=1)
    assert addresses.wanted(third) is None and not addresses.confirm(third)
    assert service.player(table.id, "seat1")["address"] == "seat1@example.net"
    with pytest.raises(ValueError, match="nobody sits there"):
        addresses.ask(table.id, "seat9", "one@example.net")


def test_a_new_address_is_his_in_all_campaigns_and_ends_all_tokens_of_before(desk, service):
    first, second = desk().start(), desk().start()
    before = {(t.id, seat): service.token_of(t.id, seat) for t in (first, second) for seat in ("seat1", "seat2")}
    heads = [service.status(t.id).head for t in (first, second)]
    service.new_addresses.ask(first.id, "seat1", "Anew@example.net")
    service.new_addresses.confirm(allowed_link(service))
    for table in (first, second):
        assert service.player(table.id, "seat1")["address"] == "Anew@example.net"
        assert service.seat_of(table.id, before[table.id, "seat1"]) is None
        assert service.seat_of(table.id, service.token_of(table.id, "seat1")) == "seat1"
        assert service.token_of(table.id, "seat2") == before[table.id, "seat2"]
    tokens = service.store.tables.tokens
    with service.store.read() as connection:
        over = connection.execute(tokens.select().where(tokens.c.active == 0)).all()
    assert len(over) == 2 and not any(row.sealed for row in over), "no key opens a token of before"
    assert [service.status(t.id).head for t in (first, second)] == heads, "no event"
    kinds = sorted((row.kind, row.campaign) for row in due(service) if row.kind in ("moved", "address_left"))
    assert [kind for kind, _ in kinds] == ["address_left", "moved", "moved"]
    assert {campaign for kind, campaign in kinds if kind == "moved"} == {first.id, second.id}
    other = service.create("toy", 3, kit=service.kit_of(first.id))
    service.invite(other, "seat3", "Again", "anew@EXAMPLE.net")
    assert service.player(other, "seat3")["person"] == service.player(first.id, "seat1")["person"]


def test_a_campaign_that_was_put_away_writes_nothing_to_a_new_address(desk, service):
    table, away = desk().start(), desk().start()
    service.finish(away.id, "over")
    service.archive(away.id)
    service.project()
    service.new_addresses.ask(table.id, "seat1", "anew@example.net")
    service.new_addresses.confirm(allowed_link(service))
    assert [row.campaign for row in due(service) if row.kind == "moved"] == [table.id]
    assert service.player(away.id, "seat1")["address"] == "anew@example.net"


@pytest.mark.parametrize("is_allowed", [False, True])
@pytest.mark.parametrize("how", ["replace", "vacate", "decline", "withdraw"])
def test_who_loses_a_seat_moves_no_more_by_what_was_asked_with_its_link(desk, service, how, is_allowed):
    table, other = desk() if how == "withdraw" else desk().start(), desk().start()
    if how == "decline":
        table.tokens["seat1"] = service.replace(table.id, "seat1", "Seat1", "seat1@example.net")
    service.new_addresses.ask(table.id, "seat1", "thief@example.org")
    link = allowed_link(service) if is_allowed else asked_link(service)
    if how == "vacate":
        service.vacate(table.id, "seat1", "his link is known")
    elif how == "decline":
        table.good("seat1", "DECLINE INVITATION")
    elif how == "withdraw":
        service.replace(table.id, "seat1", "Else", "else@example.net")  # of a campaign that has not begun
    else:  # a new link for the same person
        service.replace(table.id, "seat1", "Seat1", "seat1@example.net")
    addresses = service.new_addresses
    assert addresses.wanted(link) is None and not addresses.allow(link) and not addresses.confirm(link)
    assert service.player(other.id, "seat1")["address"] == "seat1@example.net"


def test_nobody_moves_to_the_address_of_another(desk, service):
    table = desk().start()
    token, person = service.token_of(table.id, "seat1"), service.player(table.id, "seat1")["person"]
    service.new_addresses.ask(table.id, "seat1", "SEAT2@example.net")
    with pytest.raises(AddressTaken):
        service.new_addresses.confirm(allowed_link(service))
    with pytest.raises(AddressTaken):
        service.new_addresses.change(person, "seat2@example.net")
    assert service.token_of(table.id, "seat1") == token
    assert service.player(table.id, "seat1")["address"] == "seat1@example.net"


def test_who_is_erased_leaves_no_address_that_he_had_wanted_or_left(desk, service):
    table = desk().start()
    service.new_addresses.change(service.player(table.id, "seat1")["person"], "middle@example.net")
    service.new_addresses.ask(table.id, "seat1", "wanted@example.net")
    person = service.player(table.id, "seat1")["person"]
    link = allowed_link(service)
    service.erase_person(person)
    assert service.new_addresses.wanted(link) is None and not service.new_addresses.confirm(link)
    with pytest.raises(ValueError, match="no such person"):
        service.new_addresses.change(person, "again@example.net")
    with service.store.read() as connection:
        rows = [str(row) for table in service.store.tables.metadata.sorted_tables
                for row in connection.execute(table.select())]  # fmt: skip
    assert not [row for row in rows if "middle@example.net" in row or "wanted@example.net" in row]


def test_what_told_where_a_message_apart_goes_is_forgotten_with_the_mails(desk, service, clock):
    table = desk().start()
    service.new_addresses.change(service.player(table.id, "seat1")["person"], "later@example.net")
    box = service.store.tables.outbox
    with service.store.write() as connection:
        connection.execute(box.update().values(state="sent"))
    clock.advance(days=service.settings.keep_mails_days + 1)
    service.sweep()
    with service.store.read() as connection:
        assert "seat1@example.net" not in str(connection.execute(box.select()).all())
