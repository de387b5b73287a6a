"""Events have a form: unknown kinds and names are refused when written, and those of an earlier form are lifted."""

from __future__ import annotations

import json
import lzma
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.campaign import changes, messages
from pbem.campaign.acts import Act, Archive
from pbem.campaign.changes import FOLDING, KINDS, NOTES, STATE, UnknownName
from pbem.campaign.stream import PlainJSON
from pbem.cli import main

RELEASED = Path(__file__).parents[1] / "streams" / "store-0.1.0.sqlite.xz"


SLIPS = [("setings", {}), ("settings", {"qeue": {}}), ("settings", {"head": ""}), ("order", {"seta": 1})]


@pytest.mark.parametrize(("kind", "change"), SLIPS)
def test_a_slip_in_a_kind_or_a_name_is_an_error_and_nothing_is_written(desk, service, kind, change):
    table = desk().start()
    live = service.memory.get(table.id)
    act = Act(live, service.clock.now(), Archive(service.store, None, None, None))
    with pytest.raises(UnknownName):
        act.write(kind, change=change)
    assert live.campaign.pending_events == []


def test_what_the_read_models_are_told_is_no_part_of_the_change(desk, service):
    table = desk().start()
    table.show_all()
    table.good("seat1", "PRESS TO all: hello")
    events = list(service.store.stored(table.id))
    assert {event.kind for event in events} <= KINDS
    for event in events:
        assert event.change.keys() <= STATE | FOLDING and event.notes.keys() <= NOTES
    told = {event.kind: event.notes for event in events if event.notes}
    assert told["press"]["recipients"] == ["seat2", "seat3"] and told["invited"] == {"seat": "seat3"}
    talked = {seat: status["powers"] for seat, status in service.status(table.id).seats.items()}
    assert told["round"] == {"closed_window": "negotiation", "talked": talked}


def stored_in_form_one(folder: Path) -> list[dict]:
    (folder / "old.sqlite").write_bytes(lzma.decompress(RELEASED.read_bytes()))
    with sqlite3.connect(folder / "old.sqlite") as db:
        return [PlainJSON().decode(state) for (state,) in db.execute("SELECT state FROM stored_events")]


def test_every_event_of_release_0_1_0_is_lifted(tmp_path):
    states = stored_in_form_one(tmp_path)
    assert len(states) > 150 and not any("notes" in state or "class_version" in state for state in states)
    noted = set()
    for state in states:
        before = dict(state["change"])
        changes.lift_notes(state)
        assert state["change"] | state["notes"] == before and not state["change"].keys() & state["notes"].keys()
        changes.lift_clock(state)
        assert state["change"].keys() <= STATE | FOLDING
        assert {**state["change"], **state["change"].get("clock", {})}.items() >= (
            {name: value for name, value in before.items() if name not in NOTES}.items()
        )
        noted |= state["notes"].keys()
    assert {"seat", "recipients", "commitment"} <= noted


def test_an_event_is_stored_with_its_form_and_read_as_it_was(desk, service):
    table = desk().start()
    recorder = service.store.stream.recorder
    stored = recorder.select_events(table.id)
    assert {json.loads(event.state.split(b"\n")[0])["class_version"] for event in stored} == {changes.FORM}
    service.memory.drop(table.id)
    assert service.status(table.id).event == len(stored)


def test_names_of_state_fold_and_notes_are_not_the_same():
    assert not STATE & FOLDING and not STATE & NOTES and not FOLDING & NOTES
    assert changes.blank() == changes.blank() and changes.blank()["queue"] is not changes.blank()["queue"]


def test_the_kinds_are_listed_with_what_they_say():
    printed = CliRunner().invoke(main, ["kinds"]).output
    assert all(f"  {kind.value}" in printed and kind.text for kind in changes.Kind)
    assert all(f"  {name}" in printed for name in STATE | FOLDING | NOTES)


def test_messages_follow_events_that_there_are():
    assert {event for kind in messages.KINDS.values() for event in kind.follows} <= KINDS
