"""Going back, ruling, and rules that have changed."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from pbem.campaign import verify
from pbem.campaign.rulings import RulingRefused
from pbem.campaign.service import NotNow, Service
from pbem.campaign.submissions import Submission
from pbem.table import sight
from pbem.table.kit import Kit
from tests import toy
from tests.campaign.test_life import kinds, messages


def whole(service, campaign):
    """The whole board; an empty pile is as good as none."""
    with service.memory.reading(campaign) as found:
        board = found.play.table.board.copy()
    board.piles = {pile: cards for pile, cards in board.piles.items() if cards}
    return board


def check_fold(service, table):
    with service.memory.reading(table.id) as found:
        for seat in (None, *table.seats):
            powers = found.campaign.powers_of(seat) if seat else ()
            assert service.view_at(table.id, seat) == sight.view(found.play.table.board, powers)
        assert found.campaign.board_now() == found.play.table.board


def test_a_rewind_restores_board_and_question_and_erases_nothing(desk, service, clock, tmp_path):
    table = desk().start()
    table.show_all()
    seat = table.asked_seat()
    target, board = service.status(table.id).event, whole(service, table.id)
    table.good(seat, "MARCH 2 TO hill")
    ambushers = service.status(table.id).waiting_seats
    for other in ambushers:
        table.good(other, "AMBUSH")
    before = service.status(table.id).event
    rolled = [t["index"] for e in service.events(table.id) for t in e["throws"]]
    clock.advance(hours=5)
    number = service.rewind(table.id, target, "a slip of the moderator")
    assert number == before + 1
    undone = {e["number"]: e["undone"] for e in service.events(table.id)}
    assert {n for n, by in undone.items() if by == number} == set(range(target + 1, number))
    assert all(by is None for n, by in undone.items() if not target < n < number)
    assert whole(service, table.id) == board
    status = service.status(table.id)
    assert status.kind == "march" and status.waiting_seats == [seat]
    assert (status.deadline - clock.now()).total_seconds() == 72 * 3600
    assert {m.seat for m in messages(service, table.id, "rewind")} == set(table.seats)
    check_fold(service, table)
    table.good(seat, "MARCH 1 TO hill")
    for other in ambushers:
        table.good(other, "AMBUSH")
    again = [t["index"] for e in service.events(table.id) for t in e["throws"]]
    assert again[: len(rolled)] == rolled and again == list(range(len(again))) and len(again) > len(rolled)
    check_fold(service, table)
    for reader in (None, seat):
        service.export(table.id, reader, tmp_path / "bundle")
        verify.verify((tmp_path / "bundle").open("rb"))


def test_a_rewind_into_a_sealed_round_keeps_the_answers_that_stand(desk, service, settings, clock):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    card = table.hand("seat1")[1]
    table.good("seat1", f"SHOW {card}")
    target = service.status(table.id).event
    for seat in ("seat2", "seat3"):
        table.good(seat, f"SHOW {table.hand(seat)[0]}")
    service.rewind(table.id, target, "again")
    service.memory.drop(table.id)  # resumed from the stream, it is the same
    with service.memory.reading(table.id) as found:
        assert found.play.sealed["red"].card == card and found.differs is None
    for seat in ("seat2", "seat3"):
        table.good(seat, f"SHOW {table.hand(seat)[1]}")
    assert card in service.view_at(table.id).piles["discard"]
    check_fold(service, table)


def test_no_standing_or_queued_order_answers_a_reopened_question(desk, service):
    table = desk().start()
    table.show_all()
    seat = table.asked_seat()
    target = service.status(table.id).event
    table.good(seat, "STANDING march: MARCH 1 TO hill")
    assert kinds(service, table.id)[-1] == "standing"
    service.rewind(table.id, target, "again")
    service.tick()
    assert service.status(table.id).kind == "march"
    assert service.queued(table.id, seat) == []
    other = next(s for s in table.seats if s != seat)
    table.good(other, "STATUS", "STANDING ambush: DECLINE")
    assert service.status(table.id).kind == "march"
    table.good(seat, "DECLINE")


def test_a_rewind_of_a_rewind_and_over_many_rounds(desk, service):
    table = desk().start()
    marks = []
    for _ in range(2):
        table.show_all()
        marks.append((service.status(table.id).event, whole(service, table.id)))
        table.good(table.asked_seat(), "MARCH 1 TO hill")
        for other in service.status(table.id).waiting_seats:
            table.good(other, "AMBUSH")
    service.rewind(table.id, marks[0][0], "back to the first")
    assert whole(service, table.id) == marks[0][1]
    service.rewind(table.id, marks[1][0], "no, forward to the second")
    assert whole(service, table.id) == marks[1][1]
    check_fold(service, table)
    service.memory.drop(table.id)
    check_fold(service, table)
    table.play_out()
    assert service.status(table.id).state == "finished"


def test_a_step_can_be_begun_anew(desk, service):
    table = desk().start()
    dealt = table.hand("seat1")
    for seat in table.seats:
        table.good(seat, "DONE")
    service.rewind(table.id, None, "dealt from the wrong deck")
    assert service.status(table.id).kind == "negotiation"
    assert kinds(service, table.id)[-2:] == ["rewound", "restarted"]
    last = service.status(table.id).event
    undone = {e["kind"]: e["undone"] for e in service.events(table.id)}
    assert undone["started"] is None and undone["order"] == last - 1 and undone["restarted"] is None
    assert table.hand("seat1") != dealt or table.hand("seat2")
    check_fold(service, table)
    table.play_out()


def test_what_cannot_be_gone_back_to_is_refused(desk, service):
    table = desk().start()
    for wrong in (0, 1, 10_000, service.status(table.id).event):
        with pytest.raises(ValueError):
            service.rewind(table.id, wrong, "no")
    table.good("seat1", "DONE")
    assert kinds(service, table.id)[-1] == "order"


def test_the_last_answer_of_a_round_is_no_place_to_go_back_to(desk, service):
    """There nobody would be asked, and the round would lie answered and unresolved."""
    table = desk().start()
    table.show_all()
    events = service.events(table.id)
    resolved = next(event["number"] for event in events if event["kind"] == "round")
    with pytest.raises(ValueError, match=f"go back to event {resolved - 2}, and this answer is asked for again"):
        service.rewind(table.id, resolved - 1, "a slip")
    service.rewind(table.id, resolved - 2, "once more")
    assert len(service.status(table.id).waiting_seats) == len(table.seats), "sealed: all who are asked"
    last = service.events(table.id, "referee", resolved - 1, resolved - 1)[0]["order"]["seat"]
    assert [one.answered for one in service.asked(table.id, last)] == [False]


def test_a_ruling_is_tried_on_a_copy_then_stands_and_is_replayed(desk, service):
    table = desk().start()
    table.show_all()
    seat = table.asked_seat()
    power = service.status(table.id).seats[seat]["powers"][0]
    move = {"fact": "units", "kind": "unit", "power": power, "number": 4, "origin": "home", "place": "hill"}
    service.rule(table.id, [move], "they had marched before")
    assert service.view_at(table.id).count("hill", power, "unit") == 4
    assert messages(service, table.id, "ruling")[0].data["reason"] == "they had marched before"
    service.memory.drop(table.id)
    assert "not so many" in table.send(seat, "MARCH 2 TO hill").lines[0].reason
    table.good(seat, "MARCH 1 TO hill")
    check_fold(service, table)


@pytest.mark.parametrize(
    "facts",
    [
        [{"fact": "units", "kind": "unit", "power": "red", "number": 50, "origin": "home", "place": "hill"}],
        [{"fact": "card", "card": "card_01", "origin": None, "place": "discard"}],
        [{"fact": "no such", "x": 1}],
    ],
)
def test_a_ruling_that_cannot_be_is_refused_and_nothing_changes(desk, service, facts):
    table = desk().start()
    board, event = whole(service, table.id), service.status(table.id).event
    with pytest.raises(ValueError):
        service.rule(table.id, facts, "no")
    assert whole(service, table.id) == board and service.status(table.id).event == event
    table.good("seat1", "DONE")


def test_rules_that_changed_while_a_step_was_open_hold_the_campaign(desk, service, settings, clock, monkeypatch):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    board = whole(service, table.id)
    service.project()
    assert dict(service.check_upgrade())[table.id] is None

    old = toy.Toy.round

    def changed(self, table):
        table.tell("a new release")
        yield from old(self, table)

    monkeypatch.setattr(toy.Toy, "round", changed)
    other = Service(settings, clock)
    assert "a new release" in dict(other.check_upgrade())[table.id]
    line = f"SHOW {table.hand('seat1')[0]}"
    sent = other.submit(Submission(table.id, [line], clock.now(), "mail", token=table.tokens["seat1"]))
    assert "held until the moderator" in sent.lines[0].reason
    assert other.status(table.id).state == "held" and other.status(table.id).deadline is None
    assert "moderator" in {m.seat for m in messages(other, table.id, "held")}
    assert other.view_at(table.id).to_json() == sight.view(board, ()).to_json()
    with pytest.raises(NotNow):
        other.resume(table.id)
    other.rewind(table.id, None, "the step is played by the new rules")
    assert other.status(table.id).state == "running" and other.status(table.id).kind == "negotiation"
    check_fold(other, table)
    other.close()


def test_a_campaign_held_while_it_was_paused_keeps_the_time_that_was_left(desk, service, settings, clock, monkeypatch):
    table = desk().start()
    clock.advance(hours=20)
    service.pause(table.id, "holidays")
    old = toy.Toy.round

    def changed(self, table):
        table.tell("a new release")
        yield from old(self, table)

    monkeypatch.setattr(toy.Toy, "round", changed)
    other = Service(settings, clock)
    other.submit(Submission(table.id, ["DONE"], clock.now(), "mail", token=table.tokens["seat1"]))
    assert other.status(table.id).state == "held"
    other.close()
    monkeypatch.undo()
    again = Service(settings, clock)
    again.resume(table.id)
    assert again.status(table.id).deadline == clock.now() + timedelta(hours=28)
    again.close()


def test_a_rewind_of_a_paused_campaign_leaves_it_paused_with_the_whole_time(desk, service, clock):
    table = desk().start()
    table.show_all()
    seat, target = table.asked_seat(), service.status(table.id).event
    table.good(seat, "MARCH 2 TO hill")
    service.pause(table.id, "holidays")
    service.rewind(table.id, target, "a slip")
    status = service.status(table.id)
    assert status.state == "paused" and status.deadline is None and status.kind == "march"
    clock.advance(days=9)
    service.tick()
    service.resume(table.id)
    assert service.status(table.id).deadline == clock.now() + timedelta(hours=72)


def test_a_held_campaign_goes_on_when_the_rules_are_as_before_or_the_step_is_ended(desk, service, clock, monkeypatch):
    table = desk().start()
    clock.advance(hours=8)

    def changed(self, table):
        table.tell("a new release")
        yield from old(self, table)

    old = toy.Toy.round
    with monkeypatch.context() as patch:
        patch.setattr(toy.Toy, "round", changed)
        service.memory.drop(table.id)
        service.tick()
        table.send("seat1", "DONE")
        assert service.status(table.id).state == "held"
        service.memory.drop(table.id)
    service.memory.drop(table.id)
    service.resume(table.id, "the release was taken back")
    assert (service.status(table.id).deadline - clock.now()).total_seconds() == 40 * 3600
    fact = {"fact": "state", "name": "round", "before": 0, "after": 1}
    service.rule(table.id, [fact], "this round does not count", ends_step=True)
    assert service.view_at(table.id).state["round"] == 1 and service.status(table.id).kind == "negotiation"
    check_fold(service, table)
    service.memory.drop(table.id)
    table.play_out()


@pytest.mark.parametrize("ends_step", [False, True])
def test_a_fault_of_the_rules_after_a_ruling_is_told_in_plain_words(desk, service, monkeypatch, caplog, ends_step):
    table = desk().start()

    def broken(self, table):
        raise KeyError("hand:red holds card_07")

    monkeypatch.setattr(toy.Toy, "round" if ends_step else "faults", broken)
    with pytest.raises(RulingRefused) as refused:
        service.rule(table.id, [{"fact": "state", "name": "note", "after": "x"}], "try this", ends_step=ends_step)
    said = str(refused.value)
    assert "the rules stop with a fault of their own" in said and "card_07" not in said and "KeyError" not in said
    assert table.id in caplog.text and "card_07" in caplog.text


def test_why_a_campaign_is_held_is_for_the_referee_alone(desk, service, monkeypatch):
    table = desk().start()
    old = toy.Toy.round

    def changed(self, table):
        table.tell("a new release")
        yield from old(self, table)

    monkeypatch.setattr(toy.Toy, "round", changed)
    service.memory.drop(table.id)
    told = table.send("seat1", "STATUS")
    assert service.status(table.id).state == "held"
    sent = messages(service, table.id, "held")
    with pytest.raises(NotNow) as resumed:
        service.resume(table.id)
    with pytest.raises(ValueError, match="the rules have changed") as rewound:
        service.rewind(table.id, service.status(table.id).event - 1, "no")
    everybody = [service.status(table.id), service.campaigns(), told, sent, resumed.value, rewound.value]
    everybody += [service.events(table.id, seat)[-1] for seat in (None, *table.seats)]
    assert not any("card_" in str(said) for said in everybody)
    assert service.status(table.id).reason == "the rules differ from the record of the open step"
    held = next(e["number"] for e in service.events(table.id) if e["kind"] == "held")
    assert "card_" in service.ask_referee(table.id, held, "what differs?")["own"]["differs"]


def test_the_dice_of_a_step_begun_anew_are_fixed_by_its_place_in_the_game(desk, service):
    def begun_anew(administer):
        table = desk().start()
        administer(table)
        service.rewind(table.id, None, "again")
        event = next(e for e in service.events(table.id) if e["kind"] == "restarted")
        return event["number"], event["order"]["text"]

    def more_events(table):
        service.extend(table.id, 1, "late")
        service.pause(table.id, "tea")
        service.resume(table.id)

    plain, moved = begun_anew(lambda table: None), begun_anew(more_events)
    assert plain[0] != moved[0] and plain[1] == moved[1] == "the step begins again at question 1"


def shorter_kit() -> Kit:
    record = json.loads(toy.kit().to_json())
    record["constants"]["rounds"] = 2
    return Kit.from_json(json.dumps(record))


def test_a_corrected_kit_takes_effect_at_the_next_point_of_rest(desk, service, tmp_path):
    table = desk().start()
    kit = shorter_kit()
    assert service.correct_kit(table.id, kit, "the digest had it wrong") is False  # hands have been dealt in this step
    assert service.kit_of(table.id) == toy.kit()
    table.show_all()
    table.good(table.asked_seat(), "DECLINE")
    assert service.kit_of(table.id) == kit and "kit" in kinds(service, table.id)
    assert service.status(table.id).kind == "negotiation"
    service.memory.drop(table.id)
    assert service.kit_of(table.id) == kit
    check_fold(service, table)
    table.show_all()
    table.good(table.asked_seat(), "DECLINE")
    assert service.status(table.id).state == "finished"  # after two rounds
    service.export(table.id, None, tmp_path / "bundle")
    verify.verify((tmp_path / "bundle").open("rb"))


def test_an_unreadable_ruling_names_the_fault(desk, service):
    table = desk().start()
    with pytest.raises(RulingRefused):
        service.rule(table.id, [{"fact": "card", "card": "card_01", "origin": None, "place": "discard"}], "no")
