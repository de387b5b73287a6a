"""The Diplomacy phase where a case cannot show it: what is sealed, who sees a card, press, who may do what by card."""

import pytest

from pbem.games.here_i_stand import GAME, positions
from pbem.games.here_i_stand.diplomacy import negotiation, wars
from pbem.games.here_i_stand.powers import minors
from pbem.games.reformation import fleets
from pbem.games.reformation.choices import ChooseSpace
from pbem.render.explained import explanation
from pbem.render.narrative import Teller
from pbem.table import sight
from pbem.table.asking import No, Yes
from pbem.table.board import HIDDEN_CARD, Board
from pbem.table.dice import ScriptedThrows
from pbem.table.kit import load_kit
from pbem.table.orders import Refused, Unreadable, order_from_json, read_order
from pbem.table.procedure import NoThrows, Play, Table
from pbem.table.questions import Question


@pytest.fixture(scope="module")
def kit():
    return load_kit("here_i_stand")


def position(kit, *entries, scenario="1517", **options):
    """A table with entries of case files; each is (name, value)."""
    table = Table(Board(GAME.id, GAME.powers(kit, scenario)), kit, options, game=GAME)
    GAME.set_up(table, scenario)
    for name, value in entries:
        if name == "units":
            place, owner, kind, number = value
            table.move(owner, kind, number - table.board.count(place, owner, kind), "supply", place)
        elif name == "state":
            table.set(*value)
        else:
            positions.arrange(table, name, value)
    table.facts = []
    return table


def talking(kit, *entries, **options):
    """A game at the negotiation window of turn 2."""
    table = position(kit, ("turn", 2), *entries, ("phase", "diplomacy"), **options)
    play = Play(GAME, table)
    play.start(NoThrows())
    return play


def say(play, power, *lines, dice=()):
    """Orders of a power; the facts that came."""
    throws = ScriptedThrows(list(dice))
    facts = []
    for line in lines:
        facts += play.answer(power, read_order(GAME.orders, line, play.table.kit), throws).facts
    return facts


def close(play, dice=()):
    return play.expire(ScriptedThrows(list(dice))).facts


def run(table, procedure, dice=()):
    """Run a procedure alone, each question answered by silence; the questions that were asked."""
    table.throws = ScriptedThrows(list(dice))
    asked = []
    try:
        wait = next(procedure)
        while True:
            asked += wait.questions
            wait = procedure.send(wait.result({q.key: q.default_answer(table) for q in wait.questions}))
    except StopIteration:
        return asked


# --- the window ---


def test_announcements_are_sealed_until_the_window_closes(kit):
    play = talking(kit)
    assert say(play, "england", "ANNOUNCE 1 ALLIANCE WITH france", "DONE") == []
    assert "packages" not in play.board.state
    told = [fact for fact in close(play) if fact["fact"] == "happened" and fact["what"] == "announced"]
    assert [(fact["power"], fact["clauses"]) for fact in told] == [("england", ["ALLIANCE OF england WITH france"])]


def test_all_parties_are_asked_to_confirm_at_once(kit):
    play = talking(kit)
    say(play, "ottoman", "ANNOUNCE 1 ALLIANCE WITH england", "ANNOUNCE 2 ALLIANCE WITH france")
    close(play)
    assert play.waiting_for() == ["england", "france"]
    assert say(play, "france", "CONFIRM 2") == []


def test_what_a_refusal_made_idle_is_not_told(kit):
    play = talking(kit)
    say(play, "ottoman", "ANNOUNCE 1 ALLIANCE WITH england, ALLIANCE WITH france")
    close(play)
    facts = say(play, "france", "REFUSE") + say(play, "england", "REFUSE")
    assert [fact["power"] for fact in facts if fact.get("what") == "package_refused"] == ["england"]


def test_an_announcement_is_the_same_by_mail_and_by_form(kit):
    line = (
        "ANNOUNCE 3: LOAN 2 SQUADRONS AT venice TO france, CEDE antwerp, brussels TO france AND GIVE 1 CARD TO papacy,"
        " RETURN montmorency, GIVE 2 MERCENARIES IN vienna TO papacy, GRANT DIVORCE, LIFT EXCOMMUNICATION OF france"
    )
    order = read_order(GAME.orders, line, kit)
    assert [clause["clause"] for clause in order.clauses] == [
        "loan", "cede", "give_cards", "return_leader", "give_mercenaries", "grant_divorce", "lift_excommunication",
    ]  # fmt: skip
    assert read_order(GAME.orders, order.text(), kit) == order
    assert order_from_json(GAME.orders, order.to_json()) == order


@pytest.mark.parametrize(
    "line",
    [
        "ANNONCE 1 ALLIANCE WITH france",
        "ANNOUNCE ALLIANCE WITH france",
        "ANNOUNCE 1 ALLIANCE WITH venice",
        "ANNOUNCE 99 ALLIANCE WITH france",
        "ANNOUNCE 1 GIVE -1 CARDS TO france",
        "ANNOUNCE 1 CEDE TO france",
        "ANNOUNCE 1",
        "ADD 1 ALLIANCE WITH france",
    ],
)
def test_lines_that_are_no_announcement(kit, line):
    with pytest.raises(Unreadable):
        read_order(GAME.orders, line, kit)


@pytest.mark.parametrize(
    "line", ["ANNOUNCE ALLIANCE WITH france", "announce alliance with england, england gives me a card"]
)
def test_an_announcement_without_its_number_is_told_that_this_is_missing(kit, line):
    with pytest.raises(Unreadable) as refused:
        read_order(GAME.orders, line, kit)
    refusal = refused.value.refusal()
    assert refusal.code == "package_number_first" and refusal.values["said"].casefold().startswith("alliance")


def test_the_forms_of_clauses_are_told_once_in_help(kit):
    kind = next(kind for kind in GAME.orders if kind.line.startswith("ANNOUNCE"))
    entry = {"order": kind.id(), "asked": False, "legal": [], "named": {}}
    for language in ("en", "fr", "ru"):
        assert explanation([entry], Teller(kit, language)).count("GRANT DIVORCE") == 1


@pytest.mark.parametrize(
    "clauses", [[], "x", [{}], [{"clause": "hug"}], [{"clause": "cede", "spaces": "rome", "taker": "france"}], [3]]
)
def test_forms_that_are_no_announcement(kit, clauses):
    with pytest.raises(Unreadable):
        order_from_json(GAME.orders, {"order": "announce", "package": 1, "clauses": clauses})


def test_names_in_three_languages(kit):
    english = read_order(GAME.orders, "ANNOUNCE 1 CEDE besancon TO papacy", kit)
    assert read_order(GAME.orders, "ANNOUNCE 1 CEDE Besançon TO Papauté", kit) == english
    assert read_order(GAME.orders, "ANNOUNCE 1 CEDE Безансон TO Папство", kit) == english


def test_the_window_resumes_with_what_is_sealed(kit):
    play = talking(kit)
    rest = play.board.copy()
    say(play, "england", "ANNOUNCE 1 ALLIANCE WITH france")
    sealed = play.wait.answers_to_json(play.sealed)
    opening = [{"fact": "state", "name": "talks", "before": None, "after": rest.state["talks"]}]
    rest.state.pop("talks")
    again = Play.resume(GAME, Table(rest, kit, game=GAME), opening, [], sealed)
    with pytest.raises(Refused, match="clause_twice"):
        say(again, "england", "ADD TO 1 ALLIANCE WITH france")
    say(again, "england", "WITHDRAW 1")
    with pytest.raises(Refused, match="no_such_package"):
        say(again, "england", "WITHDRAW 1")


# --- cards ---


def test_a_card_drawn_in_negotiation_is_seen_by_the_two_parties_alone(kit):
    play = talking(kit, ("no_war", ["hapsburg", "france"]), ("hand", {"power": "hapsburg", "cards": [31, 65]}))
    before = play.board.copy()
    say(play, "hapsburg", "ANNOUNCE 1 GIVE 1 CARD TO papacy")
    close(play)
    facts = say(play, "papacy", "CONFIRM 1", dice=[2])
    moved = next(fact for fact in facts if fact["fact"] == "card")
    drawn = next(fact for fact in facts if fact["fact"] == "draw")
    assert moved["card"] == "65"
    for reader in ("hapsburg", "papacy"):
        assert sight.seen_by(before, moved, (reader,))["card"] == "65"
        assert sight.seen_by(before, drawn, (reader,))["card"] == "65"
    for reader in ("ottoman", "england", "france", "protestant"):
        assert sight.seen_by(before, moved, (reader,))["card"] == HIDDEN_CARD
        assert sight.seen_by(before, drawn, (reader,))["card"] == HIDDEN_CARD
    assert sight.seen_by(before, moved, sight.PUBLIC)["card"] == HIDDEN_CARD


def test_sealed_payment_and_reserve_are_not_in_any_context(kit):
    table = position(
        kit,
        ("turn", 2),
        ("hand", {"power": "england", "cards": [31]}),
        ("hand", {"power": "france", "cards": [65, 66]}),
        ("state", ("segment", "war")),
        ("state", ("phase", "diplomacy")),
    )
    play = Play(GAME, table)
    play.start(NoThrows())
    say(play, "france", "DECLARE WAR ON genoa PAYING 65")
    say(play, "england", "DECLARE WAR ON scotland PAYING 31")
    (question,) = play.questions()
    assert (question.power, question.kind) == ("france", "intervention")
    assert question.context == {"minor": "scotland", "power": "england", "cp": 2}


# --- press ---


def test_private_press_runs_in_the_window_only(kit):
    play = talking(kit)
    others = [power for power in play.board.powers if power != "france"]
    assert GAME.press_allowed(play.table, "france", ["england"]) is None
    assert GAME.press_allowed(play.table, "france", others) is None
    close(play)
    assert GAME.press_allowed(play.table, "france", ["england"]).code == "private_press_in_negotiation"
    assert GAME.press_allowed(play.table, "france", others) is None
    always = Table(play.board, kit, {"private_press": "always"}, game=GAME)
    assert GAME.press_allowed(always, "france", ["england"]) is None


def test_on_turn_1_only_england_talks_in_private(kit):
    play = Play(GAME, position(kit, ("phase", "diplomacy")))
    play.start(NoThrows())
    say(play, "england", "CHOOSE POWER france")
    assert GAME.press_allowed(play.table, "england", ["france"]) is None
    assert GAME.press_allowed(play.table, "france", ["england"]) is None
    for sender, receivers in (("england", ["hapsburg"]), ("france", ["papacy"]), ("england", ["france", "papacy"])):
        assert GAME.press_allowed(play.table, sender, receivers).code == "private_press_of_england"
    close(play)
    assert GAME.press_allowed(play.table, "hapsburg", ["england"]) is None
    assert GAME.press_allowed(play.table, "france", ["england"]).code == "private_press_of_england"


# --- minor powers (S-239, S-240, S-268, S-269) ---


def test_who_may_activate_by_a_card(kit):
    table = position(kit, ("minor", {"minor": "genoa", "ally": "hapsburg"}))
    for minor, powers in {
        "genoa": [], "hungary": ["hapsburg"], "scotland": ["england", "france"],
        "venice": ["hapsburg", "france", "papacy"],
    }.items():  # fmt: skip
        found = [power for power in table.board.powers if minors.why_not_activate(table, power, minor) is None]
        assert found == powers, minor
    andrea_doria = [
        power
        for power in table.board.powers
        if minors.why_not_activate(table, power, "genoa", also_active=True) is None
    ]
    assert andrea_doria == ["france", "papacy"]


@pytest.mark.parametrize(
    ("card", "minor", "powers"),
    [
        ("auld_alliance", "scotland", ["england", "france"]),
        ("auld_alliance", "genoa", []),
        ("venetian_alliance", "venice", ["ottoman", "papacy"]),
        ("andrea_doria", "genoa", ["hapsburg", "france", "papacy"]),
        ("diplomatic_marriage", "venice", ["hapsburg", "england", "france", "papacy"]),
        ("diplomatic_marriage", "hungary", []),
    ],
)
def test_who_may_deactivate_by_which_card(kit, card, minor, powers):
    ally = kit.tables["minors"][minor]["activated_by"][0]
    table = position(kit, ("minor", {"minor": minor, "ally": ally}))
    found = [power for power in table.board.powers if minors.why_not_deactivate(table, power, minor, card) is None]
    assert found == powers


def test_an_inactive_minor_power_cannot_be_deactivated(kit):
    assert minors.why_not_deactivate(position(kit), "france", "genoa", "andrea_doria").code == "minor_not_active"


def test_all_enemies_of_an_activated_minor_power_are_asked_at_once(kit):
    """22.2 step 2: but those who are at war with its new ally already, or may not be."""
    table = position(
        kit,
        ("war", ["ottoman", "venice"]),
        ("war", ["hapsburg", "venice"]),
        ("war", ["france", "venice"]),
        ("war", ["protestant", "venice"]),
        ("units", ("zara", "hapsburg", "regular", 2)),
    )
    procedure = minors.activate(table, "venice", "papacy")
    wait = next(procedure)
    assert [question.power for question in wait.questions] == ["ottoman", "hapsburg"]
    assert not wait.closed({"ottoman": Yes()})
    displaced = procedure.send({"ottoman": Yes(), "hapsburg": No()})
    assert (displaced.power, displaced.kind) == ("hapsburg", "retreat")
    with pytest.raises(StopIteration):
        procedure.send(ChooseSpace(space="vienna"))
    assert table.board.count("vienna", "hapsburg", "regular") == 6
    assert ["ottoman", "papacy"] in table.board.state["at_war"]
    assert not any("venice" in pair for pair in table.board.state["at_war"])
    assert {table.board.state[f"control:{space}"] for space in ("venice", "corfu", "zara", "candia")} == {"papacy"}


def test_deactivation_sends_everybody_home(kit):
    table = position(
        kit,
        ("minor", {"minor": "venice", "ally": "papacy"}),
        ("clear", ["corfu", "venice", "candia"]),
        ("units", ("venice", "papacy", "regular", 2)),
        ("units", ("venice", "papacy", "squadron", 1)),
        ("units", ("corfu", "venice", "regular", 1)),
        ("units", ("ravenna", "venice", "regular", 2)),
        ("units", ("naples", "venice", "squadron", 2)),
        ("control", {"space": "candia", "power": "ottoman"}),
        ("control", {"space": "zara", "power": "papacy"}),
    )
    run(table, minors.deactivate(table, "venice"))
    board = table.board
    assert [board.state[f"control:{space}"] for space in ("venice", "corfu", "zara", "candia")] == [
        "venice", "venice", "venice", "ottoman",
    ]  # fmt: skip
    assert board.count("venice", "papacy", "regular") == 0 and board.count("ravenna", "papacy", "regular") == 3
    assert board.count("venice", "papacy", "squadron") == 0 and board.count("ancona", "papacy", "squadron") == 1
    assert board.count("corfu", "venice", "regular") == 1
    assert board.count("venice", "venice", "regular") == 2
    assert board.count("naples", "venice", "squadron") == 0 and board.count("corfu", "venice", "squadron") == 2
    assert "venice" not in board.state["minor_ally"]


def test_without_a_home_land_units_die_and_leaders_wait(kit):
    table = position(
        kit,
        ("minor", {"minor": "genoa", "ally": "france"}),
        ("clear", ["genoa"]),
        ("control", {"space": ["genoa", "bastia"], "power": "hapsburg"}),
        ("units", ("marseille", "genoa", "regular", 2)),
        ("units", ("marseille", "genoa", "squadron", 1)),
        ("leaders", {"place": "marseille", "leaders": ["andrea_doria"]}),
    )
    run(table, minors.deactivate(table, "genoa"))
    assert table.board.count("marseille", "genoa", "regular") == 0
    assert table.board.count("turn_track:2", "genoa", "squadron") == 1
    assert table.board.pieces["leader:andrea_doria"]["at"] == "turn_track:2"


def test_hungary_that_was_beaten_before_is_not_beaten_again(kit):
    """In 1532 Hungary is the Hapsburgs' ally by its defeat; the loss of a second key brings nothing more."""
    table = position(kit, ("control", {"space": ["buda", "belgrade"], "power": "ottoman"}), scenario="1532")
    before = table.board.value("war_winner_vp", "ottoman")
    assert minors.is_active(table, "hungary")
    run(table, minors.hungary_defeat(table))
    assert table.board.value("war_winner_vp", "ottoman") == before


# --- wars ---


def test_a_loan_ends_when_the_two_come_to_war(kit):
    """Q-21: the ships, and the leader with them, go to their owner's nearest port."""
    entries = [
        ("no_war", ["hapsburg", "france"]),
        ("state", ("loans", {"naples": {"france": {"hapsburg": 1}}})),
        ("units", ("naples", "france", "squadron", 1)),
        ("units", ("marseille", "france", "squadron", 0)),
    ]
    table = position(kit, *entries)
    run(table, wars.begin_war(table, "france", "hapsburg"))
    assert table.board.count("naples", "france", "squadron") == 0
    assert table.board.count("marseille", "france", "squadron") == 1
    assert "loans" not in table.board.state
    kept = position(kit, *entries, loan_ends_with_war=False)
    run(kept, wars.begin_war(kept, "france", "hapsburg"))
    assert fleets.loans_at(kept, "naples") == {"france": {"hapsburg": 1}}


@pytest.mark.parametrize(("option", "left"), [("stay", 2), ("active_leaves", 0)])
def test_new_enemies_in_one_space(kit, option, left):
    """Q-19."""
    table = position(
        kit,
        ("units", ("pavia", "england", "regular", 2)),
        ("units", ("pavia", "papacy", "regular", 2)),
        ("impulse", "england"),
        new_enemies_stacked=option,
    )
    run(table, wars.begin_war(table, "england", "papacy"))
    assert table.board.count("pavia", "england", "regular") == left
    assert table.board.count("pavia", "papacy", "regular") == 2


def test_a_card_makes_war_and_france_intervenes_for_nothing(kit):
    """21.3, 9.6: Six Wives against Scotland."""
    table = position(kit, ("impulse", "england"))
    procedure = wars.war_by_event(table, "england", "scotland")
    question = next(procedure)
    assert (question.power, question.context["cp"]) == ("france", 0)
    with pytest.raises(StopIteration):
        procedure.send(wars.Intervene())
    assert table.board.state["minor_ally"] == {"scotland": "france"}
    assert ["england", "france"] in table.board.state["at_war"] and "war_costs" not in table.board.state


@pytest.mark.parametrize(
    ("cost", "cards"), [(1, ["24"]), (2, ["31"]), (3, ["24", "31"]), (4, ["65"]), (6, ["31", "65"])]
)
def test_silence_pays_with_least_to_spare(kit, cost, cards):
    table = position(kit, ("hand", {"power": "france", "cards": [10, 24, 31, 65]}))
    assert sorted(wars.cheapest(table, "france", cost), key=int) == cards


def test_questions_of_the_window_are_known_by_their_times(kit):
    for kind in ("negotiation", "negotiation_order", "confirmation", "peace", "ransom", "war", "activation_war"):
        assert kind in kit.times, kind
    assert kit.hours("negotiation") == 48
    assert isinstance(negotiation.question("france"), Question)
