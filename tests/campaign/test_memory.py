"""What stays in memory: the play of some campaigns, the packed state of the others, and no dice that nobody throws."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.campaign.campaign import pack, unpack
from pbem.campaign.dicebox import TreeOnDemand
from pbem.campaign.service import Service
from pbem.table.dice import DiceTree
from tests.campaign import counting
from tests.campaign.conftest import Desk
from tests.campaign.test_rewind import check_fold, whole


@pytest.fixture
def small(settings, clock):
    """A service that keeps two campaigns in memory."""
    made = Service(replace(settings, play_campaigns_in_memory=2), clock)
    yield made
    made.close()


def test_campaigns_that_left_the_memory_go_on_as_they_stood(small, clock):
    tables = [Desk(small, clock).start() for _ in range(5)]
    for table in tables:
        table.show_all()
    assert len(small.memory.in_play) == 2 and len(small.memory.packed) == 3
    boards = [whole(small, table.id) for table in tables]
    loaded = []
    small.store.load = lambda campaign, *a, **k: loaded.append(campaign)  # nothing is read from the stream again
    assert [whole(small, table.id) for table in tables] == boards and loaded == []
    del small.store.load
    for table in tables:
        table.good(table.asked_seat(), "MARCH 1 TO hill")
        check_fold(small, table)
    small.finish(tables[0].id, "enough")
    assert small.status(tables[0].id).state == "finished"


def test_a_packed_campaign_is_the_same(desk, service):
    table = desk().start()
    for seat in table.seats:
        table.good(seat, "DONE")
    table.good("seat1", f"SHOW {table.hand('seat1')[0]}")
    with service.memory.reading(table.id) as found:
        again = unpack(pack(found.campaign))
        assert vars(again) | {"_created_on": None} == vars(found.campaign) | {"_created_on": None}
        assert again.board is not found.campaign.board


def test_what_another_process_did_meanwhile_is_not_missed(small, settings, clock):
    other = Service(settings, clock)
    (first, tokens), *more = [counting.begin(small) for _ in range(4)]
    assert first in small.memory.packed
    for n in range(3):
        assert other.submit(counting.submission(first, tokens, n, clock.now())).ok
    assert small.status(first).event == other.status(first).event
    for campaign, _ in more:
        small.status(campaign)
    assert first in small.memory.packed
    for n in range(3, 6):
        assert other.submit(counting.submission(first, tokens, n, clock.now())).ok
    assert small.submit(counting.submission(first, tokens, 6, clock.now())).ok
    assert small.view_at(first).state["said"] == 7
    other.close()


@pytest.mark.parametrize("size", [1, 7, 8, 64, 100])
def test_a_tree_on_demand_is_spent_when_the_tree_is(size):
    tree, made = DiceTree(b"s" * 32, 0, size), []

    def make():
        made.append(1)
        return tree

    lazy = TreeOnDemand(0, size, make)
    assert [lazy.spent(leaf) for leaf in range(size + 1)] == [tree.spent(leaf) for leaf in range(size + 1)]
    assert made == []
    assert lazy.die_key(0) == tree.die_key(0) and lazy.root == tree.root and made == [1]
