"""A policy is told once: what checks it, makes its form and its description, and says it to players."""

from __future__ import annotations

import pytest

from pbem.campaign import expiry, outbox, policy
from pbem.campaign.moderators import Moderators
from pbem.render.language import find_language


def test_what_is_left_out_has_its_default_and_the_old_names_are_still_good():
    assert policy.check_policy(None) == policy.POLICY == policy.check_policy({})
    assert policy.check_policy({"reminders": [6, 24, 6]})["reminders"] == [24, 6]
    assert policy.check_policy({"missed": "grace", "then": "pause", "times": {"march": 5}})["times"] == {"march": 5}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"missd": "grace"}, "no policy 'missd'; there are times, reminders"),
        ({"missed": "gracious"}, "policy missed should be one of default, grace, extend, hold"),
        ({"grace_hours": 0}, "policy grace_hours should be a whole number from 1 to 8784"),
        ({"grace_hours": "5"}, "policy grace_hours should be a whole number"),
        ({"extensions": 100}, "policy extensions should be a whole number from 0 to 99"),
        ({"times": {"march": True}}, "policy times march should be a whole number"),
        ({"times": {"march": 2.5}}, "policy times march should be a whole number"),
        ({"reminders": [5, -1]}, "policy reminders 1 should be a whole number"),
        ({"absence_days": -1}, "policy absence_days should be a whole number from 0 to 366"),
    ],
)
def test_a_wrong_value_is_told_with_what_would_be_right(given, words):
    with pytest.raises(ValueError, match=words):
        policy.check_policy(given)


def test_the_form_has_an_input_for_every_setting_and_reads_back_what_it_shows():
    inputs = [one for group in policy.inputs().values() for one in group]
    assert {one.name for one in inputs} == policy.POLICY.keys() - {"times"}
    sent = {one.name: str(one.value) for one in inputs}
    assert policy.check_policy(policy.from_form(sent)) == policy.POLICY
    assert all(one.choices is None or one.value in dict(one.choices) for one in inputs)
    with pytest.raises(ValueError, match="grace_hours"):
        policy.check_policy(policy.from_form({**sent, "grace_hours": "many"}))


def test_a_missed_deadline_is_a_list_of_steps():
    def names(**chosen):
        return [type(step).__name__ for step in expiry.steps(policy.check_policy(chosen))]

    assert names() == ["Grace", "Silence"] and names(missed="default") == ["Silence"]
    assert names(missed="hold") == ["Hold"]
    assert names(missed="grace", then="pause") == ["Grace", "Pause"]
    assert names(missed="extend", tell="yes") == ["Tell", "Extension", "Silence"]
    for missed in ("default", "grace", "extend", "hold"):  # as campaigns of earlier programs have it
        chosen = {**policy.POLICY, "missed": missed}
        del chosen["tell"], chosen["absence_days"]
        assert expiry.steps(chosen)


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_players_are_told_the_policy_in_their_language(language):
    text = find_language(language).text
    said = {}
    for missed in ("default", "grace", "extend", "hold"):
        said[missed] = policy.described(policy.check_policy({"missed": missed, "press": "windows"}), text)
        assert any("24" in sentence for sentence in said[missed]) and not any("%(" in s for s in said[missed])
    assert len({tuple(sentences) for sentences in said.values()}) == 4
    if language != "en":
        english = policy.described(policy.check_policy({"press": "windows"}), find_language("en").text)
        assert not set(said["default"]) & set(english)


def test_moderators_are_told_by_mail_where_the_policy_says_so(desk, service, clock):
    told, silent = desk(policy={"tell": "yes", "missed": "grace"}).start(), desk(policy={"missed": "grace"}).start()
    accounts = Moderators(service.store)
    accounts.add("anna", "correct horse battery", clock.now(), address="anna@example.net")
    for table in (told, silent):
        accounts.take(table.id, "anna")
        for seat in table.seats:
            table.good(seat, "DONE")
    clock.advance(hours=73)
    service.tick()
    found = [m for m in outbox.messages(service.store) if m.kind == "missed" and m.seat.startswith("moderator")]
    assert {(m.campaign, m.seat) for m in found} == {(told.id, "moderator"), (told.id, "moderator.anna")}
    assert all(m.data["missed"] == ["red", "blue", "green"] for m in found)
    clock.advance(hours=25)  # the grace is missed as well
    service.tick()
    found = [m for m in outbox.messages(service.store) if m.kind == "missed" and m.seat == "moderator.anna"]
    assert len(found) == 2
