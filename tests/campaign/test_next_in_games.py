"""NEXT, and what ends a turn, in the published games: sent as lines through the one door."""

from __future__ import annotations

import random

import pytest

from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission
from pbem.games import find_game
from pbem.render.narrative import Teller
from pbem.table import playout
from pbem.table.conditions import program_kinds, turns
from pbem.table.kit import load_kit
from pbem.table.orders import Refused

QUIET = ("PASS", "DONE", "DECLINE", "END IMPULSE")


@pytest.fixture
def settings(tmp_path):
    return Settings(var=tmp_path, domain="example.org")


class Game:
    """A campaign of a published game; `go_on` answers for whoever is asked until something is so."""

    def __init__(self, service, clock, name, number, **more):
        self.service, self.clock, self.chance = service, clock, random.Random(3)
        self.id = service.create(name, number, **more)
        self.seats = [f"seat{n + 1}" for n in range(number)]
        self.tokens = {seat: service.invite(self.id, seat, seat, f"{seat}@example.net") for seat in self.seats}
        for seat in self.seats:
            service.accept(self.id, seat)
        service.start(self.id)

    def send(self, seat, *lines):
        self.clock.advance(minutes=1)
        return self.service.submit(
            Submission(self.id, list(lines), self.clock.now(), channel="mail", token=self.tokens[seat])
        )

    def good(self, seat, *lines):
        answer = self.send(seat, *lines)
        assert answer.ok, answer
        return answer

    def asked(self):
        """(seat, kind, an order at hand) of whoever is waited for; as quiet a one as there is."""
        with self.service.memory.reading(self.id) as found:
            power = found.play.waiting_for()[0]
            question = found.play.question_for(power)
            quiet = [kind() for kind in question.orders if kind.line in QUIET]
            legal = [order for order in quiet if question.is_legal(found.play.table, order)]
            order = legal[0] if legal else question.sample(found.play.table, self.chance)
            seat = found.campaign.seat_of_power(power)
            several = len(found.campaign.powers_of(seat)) > 1
            return seat, question.kind, f"FOR {power}: {order.text()}" if several else order.text()

    def go_on(self, until, most=200):
        for _ in range(most):
            seat, kind, line = self.asked()
            if until(seat, kind):
                return seat
            self.good(seat, line)
        raise AssertionError("it did not come to that")

    def queued(self, seat):
        return self.service.queued(self.id, seat)

    def dropped(self, seat):
        """Why queued lines of a seat fell, latest first."""
        events = self.service.events(self.id, seat)
        refused = [Refused.from_json(e["own"]["refused"]) for e in reversed(events) if e["own"].get("refused")]
        return [Teller(self.service.kit_of(self.id)).refusal(one) for one in refused]


@pytest.fixture
def empires(service, clock):
    return Game(service, clock, "struggle_of_empires", 3)


@pytest.fixture
def reformation(service, clock):
    return Game(service, clock, "here_i_stand", 6)


def next_seat(game, seat):
    """Who is asked after a seat in the clockwise round of placement."""
    with game.service.memory.reading(game.id) as found:
        powers = found.play.table.board.powers
        (power,) = found.campaign.powers_of(seat)
        return found.campaign.seat_of_power(powers[(powers.index(power) + 1) % len(powers)])


def test_next_fires_at_the_next_placement_and_its_second_line_at_the_one_after(empires):
    seat, kind, line = empires.asked()
    assert kind == "placement"
    follower = next_seat(empires, seat)
    place = "PLACE army AT german_states"
    answer = empires.good(follower, "NEXT", place, place)
    assert [one.state for one in answer.lines] == ["queued"] * 3 and "(Place a unit)" in answer.lines[0].text
    told = empires.send(follower, "QUEUE").lines[0].text
    assert told.splitlines()[-1] == "What stands below NEXT waits for your next turn (Place a unit)."
    empires.good(seat, line)
    assert empires.queued(follower) == [place], "the first was placed when the turn came"
    empires.go_on(lambda one, kind: not empires.queued(follower) or kind != "placement")
    assert empires.queued(follower) == []
    placed = [e for e in empires.service.events(empires.id, follower) if e["kind"] == "queued"]
    assert len(placed) == 2


def test_an_action_sent_ahead_in_the_set_up_waits_over_placements_and_auctions(empires):
    seat, *_ = empires.asked()
    follower = next_seat(empires, seat)
    answer = empires.good(follower, "NEXT", "PASS", "NEXT", "BUY army_training")
    assert "(Your action)" in answer.lines[0].text
    empires.go_on(lambda one, kind: kind == "auction")
    assert empires.queued(follower) == ["NEXT", "PASS", "NEXT", "BUY army_training"]
    answer = empires.good(follower, "NEXT", "BUY army_training")
    assert "(Your action)" in answer.lines[0].text
    status = empires.send(follower, "STATUS").lines[0].text
    assert "What stands below NEXT waits for your next turn (Your action)." in status
    empires.go_on(lambda one, kind: kind == "auction" and one == follower or kind == "action")
    assert empires.asked()[1] == "action" or empires.queued(follower) == ["NEXT", "BUY army_training"]
    empires.go_on(lambda one, kind: kind == "action" and one == follower or not empires.queued(follower))
    assert empires.queued(follower) == []
    assert any("army_training" in repr(e) for e in empires.service.events(empires.id) if e["kind"] == "queued")


def test_a_pass_sent_ahead_in_the_auction_is_for_the_auction(empires):
    seat = empires.go_on(lambda one, kind: kind == "auction")
    other = next(one for one in empires.seats if one != seat)
    answer = empires.good(other, "NEXT", "PASS")
    assert "(The auction)" in answer.lines[0].text
    empires.go_on(lambda one, kind: kind != "auction" or not empires.queued(other))
    empires.go_on(lambda one, kind: one == other)
    assert empires.queued(other) == []


@pytest.mark.parametrize("line", ["SUPPORT NAVIES NO ARMIES YES", "KEEP", "DECLINE"])
def test_what_no_turn_begins_with_is_refused_at_once(empires, line):
    seat, *_ = empires.asked()
    answer = empires.send(next_seat(empires, seat), "NEXT", line)
    assert [one.state for one in answer.lines] == ["refused", "refused"]
    assert "no turn of your own begins with" in answer.lines[0].reason
    assert answer.lines[0].hints[0].startswith("BUY <tile>") and answer.queued == []


def test_a_placement_sent_ahead_after_the_last_one_is_refused_at_once(empires):
    seat = empires.go_on(lambda one, kind: kind == "auction")
    answer = empires.send(seat, "NEXT", "PLACE army AT german_states")
    assert answer.lines[0].state == "refused"
    assert answer.lines[0].reason == "PLACE is for “Place a unit”, which comes no more in this campaign"


def test_placements_that_are_left_over_fall_when_the_placing_is_over(empires):
    seat, *_ = empires.asked()
    follower = next_seat(empires, seat)
    for _ in range(5):
        empires.good(follower, "NEXT", "PLACE army AT german_states", "NEXT", "PLACE army AT german_states")
        if empires.go_on(lambda one, kind: one == follower or kind != "placement") != follower:
            break
        empires.good(follower, empires.asked()[2])
    empires.go_on(lambda one, kind: one == follower and kind == "auction")
    assert empires.queued(follower) == []


def test_a_pass_below_an_action_ends_no_turn_to_come(empires):
    seat = empires.go_on(lambda one, kind: kind == "action")
    answer = empires.good(seat, "BUY army_training", "PASS", "PASS")
    assert [one.state for one in answer.lines[:2]] == ["accepted", "accepted"]
    assert empires.queued(seat) == [], "the second PASS would have been for the next round"
    later = empires.go_on(lambda one, kind: one == seat)
    assert later == seat and empires.asked()[1] in ("action", "auction", "negotiation")


def test_next_fires_at_the_spring_deployment_and_an_end_sent_too_late_is_for_no_other_turn(reformation):
    first = reformation.go_on(lambda one, kind: kind == "spring_deployment")
    reformation.good(first, "PASS")
    last = next_seat(reformation, reformation.go_on(lambda one, kind: kind == "spring_deployment"))
    for seat in (first, last):
        assert "(Spring deployment)" in reformation.good(seat, "NEXT", "PASS").lines[0].text
    asked = []
    reformation.go_on(lambda one, kind: asked.append((one, kind)) or kind == "impulse")
    assert (last, "spring_deployment") not in asked and reformation.queued(last) == []
    reformation.go_on(lambda one, kind: one == first and kind == "impulse")
    assert reformation.queued(first) == []
    assert reformation.dropped(first)[0] == "PASS was sent ahead for “Spring deployment”; this is “Your impulse”"


def test_a_card_sent_ahead_in_the_diplomacy_waits_for_the_impulse(reformation):
    seat, kind, _ = reformation.asked()
    with reformation.service.memory.reading(reformation.id) as found:
        seat = found.campaign.seat_of_power("ottoman")
    answer = reformation.good(seat, "NEXT", "PLAY 1 FOR CP", "BUILD regular IN edirne")
    assert "(Your impulse)" in answer.lines[0].text
    reformation.go_on(lambda one, kind: not reformation.queued(seat))
    assert [e["kind"] for e in reformation.service.events(reformation.id)].count("queued") == 2


@pytest.mark.parametrize("line", ["MOVE ALL FROM istanbul TO edirne", "STAND", "END IMPULSE"])
def test_what_begins_no_impulse_is_refused_below_next(reformation, line):
    answer = reformation.send("seat1", "NEXT", line)
    assert answer.lines[0].state == "refused" and answer.queued == []
    assert answer.lines[0].hints[0] == "PLAY <card> FOR CP|EVENT"


def test_a_trailing_end_of_an_impulse_is_not_kept_for_the_next(reformation):
    seat = reformation.go_on(lambda one, kind: kind == "impulse")
    with reformation.service.memory.reading(reformation.id) as found:
        power = found.play.waiting_for()[0]
        question = found.play.question_for(power)
        play = next(o.text() for o in question.legal(found.play.table) if o.text().endswith("FOR CP"))
    answer = reformation.good(seat, play, "END IMPULSE", "END IMPULSE", "PASS")
    assert [one.state for one in answer.lines[:2]] == ["accepted", "accepted"], answer
    reformation.go_on(lambda one, kind: one == seat and kind == "impulse")
    assert reformation.queued(seat) == []


def test_who_bids_more_than_he_has_is_told_what_it_may_cost(empires):
    seat = empires.go_on(lambda one, kind: kind == "auction")
    with empires.service.memory.reading(empires.id) as found:
        (power,) = found.campaign.powers_of(seat)
        gold = found.play.board.value("gold", power)
        first, second = found.play.board.powers[:2]
    assert empires.service.check(empires.id, seat, [f"BID {gold} A {first} B {second}"]).lines[0].text is None
    (told,) = empires.good(seat, f"BID {gold + 4} A {first} B {second}").lines
    assert told.state == "accepted" and f"you have {gold} gold" in told.text and "unrest" in told.text


@pytest.mark.parametrize("ending", ["PASS", "DONE"])
def test_what_ends_a_turn_is_not_kept_where_there_is_none_to_end(empires, ending):
    seat, kind, placing = empires.asked()
    assert kind == "placement"
    answer = empires.good(seat, placing, ending)
    assert [one.state for one in answer.lines] == ["accepted", "told"] and empires.queued(seat) == []
    assert "is not kept" in answer.lines[1].text


def test_what_ends_a_turn_again_is_not_kept_and_below_next_it_is(empires, reformation):
    seat = empires.go_on(lambda one, kind: kind == "negotiation")
    assert [one.state for one in empires.good(seat, "DONE", "PASS").lines] == ["accepted", "told"]
    assert empires.queued(seat) == []
    seat = reformation.go_on(lambda one, kind: kind == "spring_deployment")
    answer = reformation.good(seat, "PASS", "PASS", "END IMPULSE", "NEXT", "PLAY 1 FOR CP", "END IMPULSE")
    assert [one.state for one in answer.lines] == ["accepted", "told", "told", "queued", "queued", "queued"]
    assert reformation.queued(seat)[-1] == "END IMPULSE"


def test_what_ends_the_turn_of_one_power_is_kept_for_the_other(service, clock):
    table = Game(service, clock, "here_i_stand", 3)
    seat = table.go_on(lambda one, kind: kind == "spring_deployment")
    other = next(one for one in table.service.status(table.id).seats[seat]["powers"] if one not in table.asked()[2])
    answer = table.good(seat, table.asked()[2], f"FOR {other}: PASS", f"FOR {other}: PASS")
    assert [one.state for one in answer.lines] == ["accepted", "queued", "told"]


@pytest.mark.parametrize("line", ["PASS", "pass, please", "IF turn 1 PASS", "PLAY 3 FOR CP"])
def test_what_is_sent_ahead_for_one_of_several_powers_is_asked_back(service, clock, line):
    table = Game(service, clock, "here_i_stand", 3)
    table.go_on(lambda one, kind: kind == "spring_deployment")
    seat = next(one for one in table.seats if "hapsburg" in table.service.status(table.id).seats[one]["powers"])
    powers = table.service.status(table.id).seats[seat]["powers"]
    with table.service.memory.reading(table.id) as found:
        assert "3" not in found.play.table.board.hand_of(powers)
    checked = table.service.check(table.id, seat, ["NEXT", line, "PASS"])
    answer = table.send(seat, "NEXT", line, "PASS")
    assert [one.state for one in answer.lines] == ["refused"] * 3
    assert [one.hints for one in checked.lines] == [one.hints for one in answer.lines]
    read = "PASS" if line.startswith("pass") else line
    assert answer.lines[1].hints == [f"FOR {power}: {read}" for power in powers]
    assert table.queued(seat) == []
    assert table.good(seat, "NEXT", answer.lines[1].hints[0]).lines[1].state == "queued"


def test_what_is_sent_ahead_with_a_card_is_for_the_power_that_holds_it(service, clock):
    table = Game(service, clock, "here_i_stand", 3)
    table.go_on(lambda one, kind: kind == "spring_deployment")
    seat = next(one for one in table.seats if "hapsburg" in table.service.status(table.id).seats[one]["powers"])
    other = next(one for one in table.service.status(table.id).seats[seat]["powers"] if one != "hapsburg")
    answer = table.good(seat, "NEXT", "PLAY 2 FOR CP", "END IMPULSE", "NEXT", f"FOR {other}: PASS")
    assert answer.lines[1].order == "FOR hapsburg: PLAY 2 FOR CP"
    assert table.queued(seat) == [
        "NEXT", "FOR hapsburg: PLAY 2 FOR CP", "END IMPULSE", "NEXT", f"FOR {other}: PASS"
    ]  # fmt: skip
    again = table.send(seat, "NEXT", "PLAY 2 FOR CP", "NEXT", "PASS")
    assert [one.state for one in again.lines] == ["queued", "queued", "refused", "refused"]
    table.go_on(lambda one, kind: not table.queued(seat) or (kind == "impulse" and one == seat))
    assert "PLAY 2 FOR CP" in repr([e for e in table.service.events(table.id, seat) if e["kind"] == "queued"])


def test_who_says_that_he_is_done_below_a_refused_line_is_told_that_it_was_refused(reformation):
    seat = reformation.go_on(lambda one, kind: kind == "negotiation")
    refused = "ANNOUNCE 1 ALLIANCE WITH " + reformation.service.status(reformation.id).seats[seat]["powers"][0]
    for said in ("DONE", "j'ai fini", "that's all"):
        answer = reformation.send(seat, refused, said)
        assert [one.code for one in answer.lines][1] == "refused_before", answer
        assert "line above" in answer.lines[1].reason or "before" in answer.lines[1].reason


@pytest.mark.parametrize("name,seats", [("struggle_of_empires", 4), ("here_i_stand", 6)])
def test_the_kit_tells_every_order_that_a_turn_can_begin_with(monkeypatch, name, seats):
    kit, found, choose = load_kit(name), {}, playout.choose

    def hear(table, question, chance, taken):
        found.setdefault(question.kind, set()).update(kind.id() for kind in question.orders)
        return choose(table, question, chance, taken)

    monkeypatch.setattr(playout, "choose", hear)
    playout.play_out(find_game(name), kit, 0, seats, 5)
    told = turns(kit)
    assert program_kinds(kit)[0] in told and set(told) <= set(kit.times)
    known = {kind.id() for kind in find_game(name).orders}
    for kind, entry in told.items():
        assert set(entry["opens"]) <= known, kind
        if kind in found:
            assert found[kind] - set(entry["opens"]) <= {"choose_option", "choose_space", "choose_card"}, kind


def test_what_waits_below_next_is_the_same_after_a_restart(empires, settings, clock):
    seat, _, line = empires.asked()
    follower = next_seat(empires, seat)
    empires.good(follower, "NEXT", "BUY army_training")
    empires.service = Service(settings, clock)
    empires.go_on(lambda one, kind: one == follower and kind == "auction")
    assert empires.queued(follower) == ["NEXT", "BUY army_training"]
    told = empires.send(follower, "QUEUE").lines[0].text
    assert told.endswith("waits for your next turn (Your action).")
    empires.service.close()


def test_all_units_of_a_set_up_can_be_placed_in_one_mail_each_at_its_turn(empires):
    seat, kind, _ = empires.asked()
    assert kind == "placement"
    regions = ["german_states", "india", "africa"]
    answer = empires.good(seat, *(f"place an army in {region}" for region in regions))
    assert [one.state for one in answer.lines] == ["accepted", "queued", "queued"]
    empires.go_on(lambda one, kind: not empires.queued(seat))
    board = empires.service.view_at(empires.id, seat)
    (power,) = empires.service.status(empires.id).seats[seat]["powers"]
    assert all(board.count(region, power, "army") for region in regions)


@pytest.mark.parametrize("line", ["never mind about India", "PLACE army AT india", "Why so slow?"])
def test_an_answer_that_does_nothing_while_orders_are_queued_shows_what_drops_them(empires, line):
    seat, *_ = empires.asked()
    follower = next_seat(empires, seat)
    assert "CANCEL QUEUE" not in empires.send(follower, line).lines[0].hints
    empires.good(follower, "NEXT", "PLACE army AT german_states")
    (told,) = empires.send(follower, line).lines
    assert told.state != "accepted" and told.hints[-1] == "CANCEL QUEUE"
