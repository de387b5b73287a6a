"""The land war at large: everybody at war with somebody, played at random with every promise checked."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.here_i_stand import positions
from pbem.games.here_i_stand.room import HereIStand
from pbem.games.here_i_stand.victory import score
from pbem.games.reformation import relations, siege
from pbem.games.reformation.atlas import atlas_of
from pbem.games.reformation.forces import _unshown, count_land, make_change, own_owners, supply_total
from pbem.games.reformation.ground import besieged, home_spaces, siege_of
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.playout import Playout
from pbem.table.procedure import Table

SIDES = (("ottoman", "france", "protestant"), ("hapsburg", "england", "papacy"))


class AtWar(HereIStand):
    """1517, but with the league formed and the powers at war: all with all, or three allies with three."""

    def __init__(self, allied):
        self.allied = allied

    def set_up(self, table, scenario):
        super().set_up(table, scenario)
        table.set("league", True)
        powers = table.board.powers
        pairs = itertools.product(*SIDES) if self.allied else itertools.combinations(powers, 2)
        for a, b in pairs:
            relations.make_war(table, a, b)
        if self.allied:
            for a, b in itertools.chain.from_iterable(itertools.combinations(side, 2) for side in SIDES):
                relations.end_war(table, a, b)
                relations.make_alliance(table, a, b)
        for minor, power in itertools.product(("genoa", "venice", "scotland", "hungary"), powers):
            relations.make_war(table, power, minor)
        for space in home_spaces(table, "protestant"):
            table.set(f"control:{space}", "protestant")
        for space, leader in (("wittenberg", "john_frederick"), ("augsburg", "philip_of_hesse")):
            table.place("protestant", "regular", space, 4)
            table.put(f"leader:{leader}", space)
        # A siege under way, since random play begins few that last to an assault.
        table.move("ottoman", "regular", 5, "istanbul", "belgrade")
        positions.arrange(table, "siege", {"space": "belgrade", "by": "ottoman"})
        score.settle(table)

    def next_step(self, table):
        found = super().next_step(table)
        return found and (found[0], _watched(table, found[1]))


IN_THE_MIDST = ("losses", "retreat", "relief")
"""What is asked while hits are taken off and stacks leave; all else is asked of a board on which sieges are settled."""


def _watched(table, procedure):
    """15.3: whoever is asked, and whatever: no siege goes on whose besieger has no more units than are within."""
    answer = None
    while True:
        try:
            wait = procedure.send(answer)
        except StopIteration as ended:
            return ended.value
        if not any(question.kind in IN_THE_MIDST for question in wait.questions):
            for space in besieged(table):
                for power in siege_of(table, space)["by"]:
                    number = count_land(table, space, own_owners(table, space, power))
                    within = siege.besieged_number(table, space)
                    assert number > within, (space, power, [question.kind for question in wait.questions])
        answer = yield wait


@pytest.fixture(scope="module")
def kit():
    return load_kit("here_i_stand")


@pytest.mark.parametrize(("allied", "asked"), [(False, "together"), (True, "one_by_one")])
def test_random_war_keeps_every_promise(kit, allied, asked):
    told = set()
    for seed in range(3):
        game = AtWar(allied)
        powers = game.powers(kit, "1517")
        record = Playout(game, kit, powers, seed, scenario="1517", options={"interceptions_asked": asked}).run()
        assert record.failure is None, record.case["play"][-3:]
        told |= set(record.told)
    assert {"field_battle", "siege", "interception", "assault"} <= told


@pytest.mark.parametrize(
    ("counters", "stacks", "enough"),
    [
        ({1: 2, 2: 1}, [1, 1], True),
        ({1: 2, 2: 1}, [1, 1, 1], False),
        ({1: 1, 2: 1, 4: 1}, [7], True),
        ({1: 1, 2: 1, 4: 1}, [3, 3], False),
        ({1: 0, 2: 1, 6: 1}, [8], True),
        ({1: 0, 2: 1, 4: 1, 6: 1}, [6, 4, 2], True),
        ({1: 0, 2: 0, 4: 1, 6: 1}, [5], False),
        ({4: 2, 6: 1}, [8, 6], True),
        # The 6 stays away: 4, 4 and 1 show what 6, 1 and no 2 cannot.
        ({1: 1, 4: 2, 6: 1}, [9], True),
        ({1: 1, 3: 2, 5: 1}, [6, 1], True),
    ],
)
def test_counters_of_the_mix_show_stacks_or_do_not(counters, stacks, enough):
    mix = [("regular", "mercenary", value, value, number) for value, number in counters.items()]
    assert (_unshown(mix, stacks) == 0) is enough


@pytest.mark.parametrize(
    ("stacks", "enough"), [([4, 2], True), ([4, 1, 1], False), ([1, 1, 1], True), ([1, 1, 1, 1], False), ([6], True)]
)
def test_scottish_counters_show_one_or_two(stacks, enough):
    assert (_unshown([("regular", "regular", 1, 2, 3)], stacks) == 0) is enough


@given(
    st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)), max_size=5),
    st.lists(st.integers(1, 9), min_size=1, max_size=3),
)
def test_counters_of_any_values_show_as_many_units_as_trying_all_ways_does(counters, stacks):
    def least(left, sizes):
        if not left:
            return sum(sizes)
        ways = [least(left[1:], sizes)]
        for value in set(left[0]):
            for at, size in enumerate(sizes):
                if size >= value:
                    ways.append(least(left[1:], [*sizes[:at], size - value, *sizes[at + 1 :]]))
        return min(ways)

    mix = [("regular", "mercenary", front, back, 1) for front, back in counters]
    assert _unshown(mix, stacks) == least(counters, stacks)


def test_units_that_no_counters_can_show_are_lost_where_it_helps_most(kit):
    table = Table(Board(HereIStand.id, HereIStand().powers(kit, "1517")), kit, game=HereIStand())
    HereIStand().set_up(table, "1517")
    # Seven of 1, four of 2, two of 4 and no more: nine stacks of one leave two too many.
    for space in ("ancona", "siena", "modena", "pavia", "trent", "turin"):
        table.place("papacy", "regular", space)
    table.place("papacy", "mercenary", "rome")
    make_change(table)
    lost = [(f["kind"], f["origin"]) for f in table.facts if f.get("why") == "no_counters"]
    assert lost == [("mercenary", "rome"), ("regular", "ancona")]


def test_supply_holds_what_the_counters_can_show(kit):
    assert supply_total(kit, "ottoman") == {"regular": 47, "cavalry": 47, "squadron": 9, "corsair": 9}
    assert supply_total(kit, "hungary") == {"regular": 10}
    assert supply_total(kit, "venice") == {"regular": 8, "squadron": 4}


def test_map_has_the_passes_and_ports_of_the_kit(kit):
    chart = atlas_of(kit)
    assert sum(map(len, chart.passes.values())) == 2 * 16
    assert chart.is_pass("navarre", "bordeaux") and not chart.is_pass("paris", "rouen")
    assert chart.ports["messina"] and "messina" in chart.ports_on[chart.ports["messina"][0]]
