"""The war at sea at large, played at random with every promise checked; and what no order of a case leads to."""

import itertools

import pytest

from pbem.games.here_i_stand.room import GAME, HereIStand
from pbem.games.reformation import fleets, naval, relations
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import Force, put_leader
from pbem.table.board import Board
from pbem.table.dice import ScriptedThrows
from pbem.table.kit import load_kit
from pbem.table.playout import Playout
from pbem.table.procedure import Table

SIDES = (("ottoman", "france"), ("hapsburg", "england", "papacy"))
MOST_SHIPS = {"ottoman": 8, "hapsburg": 6, "england": 5, "france": 5, "papacy": 2}


class AtSea(HereIStand):
    """1517 with every squadron built and two leagues at war; the corsairs are out, Venetian ships are on loan."""

    def set_up(self, table, scenario):
        super().set_up(table, scenario)
        for a, b in itertools.product(*SIDES):
            relations.make_war(table, a, b)
        relations.make_alliance(table, "hapsburg", "papacy")
        relations.set_minor_ally(table, "venice", "papacy")
        relations.set_minor_ally(table, "genoa", "hapsburg")
        for minor in ("venice", "genoa"):
            for space in atlas(table).homes[minor]:
                if table.board.state.get(f"control:{space}") == minor:
                    table.set(f"control:{space}", table.board.state["minor_ally"][minor])
        table.set("barbary_pirates", True)
        table.set("control:tunis", "ottoman")
        for owner, kinds in {"hapsburg": "tunis"}.items():
            table.remove(owner, "regular", kinds)
        ports = {"ottoman": "tunis", "hapsburg": "naples", "england": "plymouth", "france": "marseille"}
        for power, port in ports.items():
            built = sum(table.board.count(place, power, "squadron") for place in table.board.units if place != "supply")
            table.place(power, "squadron", port, MOST_SHIPS[power] - built - (2 if power == "ottoman" else 0))
        table.place("ottoman", "corsair", "tunis", 3)
        put_leader(table, "barbarossa", "tunis")
        put_leader(table, "andrea_doria", "genoa")
        fleets.lend(table, "hapsburg", "venice", "messina", Force({"venice": {"squadron": 2}}))


@pytest.fixture(scope="module")
def kit():
    return load_kit("here_i_stand")


@pytest.mark.parametrize("asked", ["together", "one_by_one"])
def test_random_war_at_sea_keeps_every_promise(kit, asked):
    wanted, told = {"naval_combat", "naval_interception", "naval_avoid_battle", "piracy_hits"}, set()
    for seed in range(8):
        game = AtSea()
        record = Playout(
            game, kit, game.powers(kit, "1517"), seed, scenario="1517", options={"interceptions_asked": asked}
        ).run()
        assert record.failure is None, (record.failure, record.case["play"][-3:])
        told |= set(record.told)
        if wanted <= told:
            return
    raise AssertionError(f"never came up: {sorted(wanted - told)}")


def table_of(kit, dice=(), options=None):
    board = Board("here_i_stand", GAME.powers(kit, "1517"))
    table = Table(board, kit, options or {}, ScriptedThrows(list(dice)), game=GAME)
    GAME.set_up(table, "1517")
    return table


def run(procedure, answers=()):
    """Run a procedure to its end; each question is answered by the next of some orders."""
    left, wait = list(answers), next(procedure, None)
    while wait is not None:
        try:
            wait = procedure.send(left.pop(0))
        except StopIteration:
            wait = None
    assert not left


def at_war_in_one_zone(table):
    table.set("active", "hapsburg")
    relations.make_war(table, "hapsburg", "papacy")
    table.place("hapsburg", "squadron", "tyrrhenian_sea", 2)
    table.place("papacy", "squadron", "tyrrhenian_sea", 1)


@pytest.mark.parametrize(("reading", "left"), [("defender_wins", 2), ("nobody_wins", 1)])
def test_equal_hits_in_a_combat_of_a_new_war_make_both_retreat(kit, reading, left):
    """9.6: the exception to 16.2; the active power is the attacker, even if the other one began the war.

    The odd hit sinks a squadron of the attacker; by option one of the defender too, since nobody wins.
    """
    table = table_of(kit, [5, 1, 1, 1, 5, 1], {"tie_at_sea_after_war": reading})
    table.remove("papacy", "squadron", "rome")
    table.place("papacy", "squadron", "tyrrhenian_sea", 1)
    at_war_in_one_zone(table)
    retreats = [naval.Retire(place="naples"), naval.Retire(place="rome")]
    table.throws = ScriptedThrows([5, 1, 1, 1, 5, 1, 1, 1])
    run(naval.war_at_sea(table, "papacy", "hapsburg"), retreats)
    assert table.board.count("naples", "hapsburg", "squadron") == 1 + 1
    assert table.board.count("rome", "papacy", "squadron") == left
    attackers = [fact["attacker"] for fact in table.facts if fact.get("what") == "naval_combat" and "attacker" in fact]
    assert attackers == ["hapsburg"]


def test_a_combat_of_a_new_war_has_a_loser_where_hits_differ(kit):
    """9.6, 16.2."""
    table = table_of(kit, [5, 5, 1, 1, 1, 1])
    at_war_in_one_zone(table)
    run(naval.war_at_sea(table, "hapsburg", "papacy"))
    assert table.board.count("tyrrhenian_sea", "hapsburg", "squadron") == 2
    assert table.board.count("turn_track:2", "papacy", "squadron") == 1


def test_ships_of_new_enemies_in_different_places_do_not_fight(kit):
    """9.6: only ships in the same sea zone."""
    table = table_of(kit)
    relations.make_war(table, "hapsburg", "papacy")
    run(naval.war_at_sea(table, "hapsburg", "papacy"))
    assert not [fact for fact in table.facts if fact.get("what") == "naval_combat"]


def test_a_loan_takes_the_ships_to_the_borrowers_nearest_port(kit):
    """9.2: each zone counts as a space, and no port is passed on the way."""
    table = table_of(kit)
    assert fleets.loan_ports(table, "rome", "hapsburg", "papacy") == ["cagliari", "messina", "naples", "palermo"]
    ports = ["malta", "messina", "taranto", "tripoli", "tunis"]
    assert fleets.loan_ports(table, "istanbul", "hapsburg", "ottoman") == ports
    table.set("control:gibraltar", "france")
    table.set("control:seville", "france")
    assert fleets.loan_ports(table, "seville", "papacy", "france") == []


def test_a_lent_leader_acts_for_the_borrower_until_the_loan_ends(kit):
    """9.2, 19.1: his mark goes with the loan, and comes off with it."""
    table = table_of(kit)
    put_leader(table, "barbarossa", "istanbul")
    force = Force({"ottoman": {"squadron": 1}}, ["barbarossa"])
    fleets.lend(table, "france", "istanbul", "marseille", force)
    assert fleets.fleet(table, "marseille", "france").leaders == ["barbarossa"]
    assert fleets.commanders(table, "marseille") == ["france"]
    fleets.end_loans(table)
    assert fleets.fleet(table, "marseille", "ottoman") == force
    assert "loans" not in table.board.state


def test_only_the_loan_named_ends(kit):
    """9.2: other loans stay."""
    table = table_of(kit)
    fleets.lend(table, "england", "marseille", "london", Force({"france": {"squadron": 1}}))
    fleets.lend(table, "hapsburg", "rome", "naples", Force({"papacy": {"squadron": 1}}))
    fleets.end_loans(table, "papacy", "hapsburg")
    assert table.board.state["loans"] == {"london": {"france": {"england": 1}}}


@pytest.mark.parametrize(
    ("there", "hits", "loser", "lost"),
    [
        ({"squadron": 3}, 3, True, {"squadron": 2}),
        ({"squadron": 3}, 3, False, {"squadron": 1}),
        ({"squadron": 1}, 1, True, {"squadron": 1}),
        ({"squadron": 1}, 1, False, {"squadron": 0}),
        ({"squadron": 2, "corsair": 1}, 3, True, {"squadron": 1, "corsair": 1}),
        ({"squadron": 2, "corsair": 1}, 3, False, {"squadron": 1, "corsair": 1}),
        ({"squadron": 1, "corsair": 3}, 4, True, {"squadron": 1, "corsair": 2}),
        ({"corsair": 2}, 5, True, {"corsair": 2}),
        ({"squadron": 2}, 9, True, {"squadron": 2}),
    ],
)
def test_hits_on_fleets(kit, there, hits, loser, lost):
    """16.2 step 8."""
    assert naval.hits_taken(table_of(kit), there, hits, loser) == lost


def test_what_an_order_names_is_read_back(kit):
    """A list of moves may hold fleets of several kinds and a leader: WITH joins them, a comma parts the moves."""
    from pbem.games.here_i_stand.war.naval import Sail
    from pbem.table.orders import read_order

    line = "SAIL 2 squadron with 1 corsair with andrea_doria FROM tunis TO barbary_coast, ALL FROM athens TO aegean_sea"
    order = read_order([Sail], line, kit)
    assert order.text() == line
    assert read_order([Sail], "sail 2 escadre with Andrea Doria from Tunis to Côte de Barbarie", kit).values() == {
        "legs": [
            {
                "fleet": {"units": {"own": {"squadron": 2}}, "leaders": ["andrea_doria"]},
                "origin": "tunis",
                "place": "barbary_coast",
            }
        ]
    }
