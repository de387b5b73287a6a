"""6.3, 11: treasures: the pool, the rows, the hands, loot; what one brings.

Piles: ``treasures`` (pool; referee), ``treasures:<power>`` (hand; owner), ``treasures_spent`` (open: back into the pool
in the next Card Draw phase), ``treasures_gone`` (open: out of the game), ``treasure_row:spain`` (owner),
``treasure_row:portugal`` (referee), ``loot_<captain>:<power>`` (owner). Ids are ``<kind>:<n>``; all are in one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.reformation import hands
from pbem.table.procedure import Table

POOL, SPENT, GONE = "treasures", "treasures_spent", "treasures_gone"
PORTUGAL, SPAIN = "treasure_row:portugal", "treasure_row:spain"
SECTION = "6.3"


def hand(power: str) -> str:
    """The pile of a power's treasures."""
    return f"treasures:{power}"


def loot(captain: str, power: str) -> str:
    """The pile of what a captain carries for the power that built him."""
    return f"loot_{captain}:{power}"


def is_pile(name: str) -> bool:
    """Whether a pile holds treasures, not cards."""
    return name.startswith(("treasures", "treasure_row", "loot_"))


def set_up(table: Table) -> None:
    """All treasures into the pool; who may see which pile."""
    for pile, rule in ((POOL, "referee"), (PORTUGAL, "referee"), (SPAIN, "owner")):
        table.do({"fact": "sight", "name": pile, "before": None, "after": rule})
    for power in table.board.powers:
        table.do({"fact": "sight", "name": hand(power), "before": None, "after": "owner"})
    for kind, row in table.kit.tables["treasures"].items():
        for number in range(1, row["count"] + 1):
            table.card(f"{kind}:{number}", None, POOL, to=[])


def row_of(table: Table, treasure: str) -> Any:
    """What the kit says of a treasure: ``kind, value``."""
    return table.kit.tables["treasures"][treasure.partition(":")[0]]


def cp_of(table: Table, treasure: str) -> int:
    """The CP that a treasure is worth; 0 of one that has none."""
    row = row_of(table, treasure)
    return row["value"] if row["kind"] == "cp" else 0


def held(table: Table, pile: str) -> list[str]:
    """What a pile holds."""
    return list(table.board.piles.get(pile, ()))


def of(table: Table, power: str) -> list[str]:
    """The treasures in a power's hand."""
    return held(table, hand(power))


def kinds_in(table: Table, pile: str) -> list[str]:
    """The kinds of treasure in a pile, in the order of the kit."""
    there = {one.partition(":")[0] for one in held(table, pile)}
    return [kind for kind in table.kit.tables["treasures"] if kind in there]


def dearest_first(table: Table, pile: str) -> list[str]:
    """The kinds of treasure in a pile, the one of most CP first: what silence keeps from a pirate."""
    return sorted(kinds_in(table, pile), key=lambda kind: -cp_of(table, kind))


def of_kind(table: Table, pile: str, kind: str) -> str:
    """The first treasure of a kind in a pile. Raises `StopIteration` where there is none."""
    return next(one for one in held(table, pile) if one.partition(":")[0] == kind)


def draw(table: Table, power: str, number: int = 1, why: str = "treasure", **more: Any) -> list[str]:
    """Treasures from the pool to a hand; returns them. None come from an empty pool."""
    return [one for _ in range(number) if (one := _draw(table, hand(power), [power], why, **more)) is not None]


def _draw(table: Table, pile: str, sight: Sequence[str], why: str, **more: Any) -> str | None:
    if not table.board.piles.get(POOL):
        return None
    return table.draw(why, POOL, pile, sight=list(sight), **{"section": SECTION, **more})


def fill_box(table: Table, **more: Any) -> None:
    """6.3: a treasure from the pool fills a box of the Spanish row."""
    _draw(table, SPAIN, ["spain"], "treasure_row", **more)


def fill_rows(table: Table) -> None:
    """8.4: spent treasures are mixed into the pool; the rows of Spain and Portugal are filled."""
    for treasure in held(table, SPENT):
        table.card(treasure, SPENT, POOL, to=[], why="reshuffle", section="8.4")
    table.do({"fact": "shuffle", "pile": POOL, "why": "reshuffle", "section": "8.4"})
    constants = table.kit.constants
    philippines = table.board.state.get("village:philippines") == "spain"
    boxes = constants["spanish_row_with_philippines"] if philippines else constants["spanish_row"]
    while len(held(table, SPAIN)) < boxes and _draw(table, SPAIN, ["spain"], "treasure_row", section="8.4"):
        pass
    while len(held(table, PORTUGAL)) < constants["portuguese_row"] and _draw(
        table, PORTUGAL, [], "treasure_row", section="8.4"
    ):
        pass


def add_to_spanish_row(table: Table, section: str) -> None:
    """23.2 step 1: a treasure of the pool joins the Spanish row."""
    _draw(table, SPAIN, ["spain"], "treasure_row", section=section)


def to_loot(
    table: Table,
    captain: str,
    power: str,
    number: int = 1,
    pile: str = POOL,
    *,
    seen_by: Sequence[str] = (),
    kept: Sequence[str] = (),
    **more: Any,
) -> list[str]:
    """Treasures by chance from the pool or another pile under a captain; returns them.

    `seen_by`: who sees them besides the captain's power; `kept`: treasures of the pile that stay out of the draw.
    """
    place = loot(captain, power)
    if place not in table.board.sight:
        table.do({"fact": "sight", "name": place, "before": None, "after": "owner"})
    sight = [power, *(one for one in seen_by if one != power)]
    taken = []
    for _ in range(number):
        among = [one for one in held(table, pile) if one not in kept]
        if among:
            treasure = table.pick("loot", among, sight=sight, pile=pile, place=place, **{"section": SECTION, **more})
            table.card(treasure, pile, place, to=sight, **{"section": SECTION, **more})
            taken.append(treasure)
    return taken


ASIDE = "treasures_aside"


def set_aside(table: Table, power: str, treasure: str, seen_by: str, **more: Any) -> None:
    """16.4: a treasure of a hand that may not be used in this impulse lies beside it, in ``treasures_aside:<power>``.

    The state of that name lists who else knows each, in the order of the pile.
    """
    pile = f"{ASIDE}:{power}"
    if pile not in table.board.sight:
        table.do({"fact": "sight", "name": pile, "before": None, "after": "owner"})
    table.card(treasure, hand(power), pile, to=[power, seen_by], **more)
    table.set(pile, [*table.board.state.get(pile, []), seen_by])
    table.set(ASIDE, table.board.state["impulse"])


def take_up(table: Table) -> None:
    """16.4: when the impulse is over, the treasures that were set aside join the hands."""
    state = table.board.state
    if ASIDE not in state or (state["impulse"] == state[ASIDE] and state.get("phase") == "action"):
        return
    for power in table.board.powers:
        pile = f"{ASIDE}:{power}"
        for treasure, seen_by in zip(held(table, pile), state.get(pile, []), strict=True):
            table.card(treasure, pile, hand(power), to=[power, seen_by], why="take_up", section="16.4")
        table.set(pile, None)
    table.set(ASIDE, None)


def loot_home(table: Table, captain: str, power: str, **more: Any) -> None:
    """What a captain carries comes to his power's hand."""
    for treasure in held(table, loot(captain, power)):
        table.card(treasure, loot(captain, power), hand(power), to=[power], why="loot_home", **more)


def random_treasure(table: Table, power: str, taker: str | None, why: str, **more: Any) -> str | None:
    """A treasure of a hand by chance: to the taker's hand, seen by the two, or spent, for all to see (None)."""
    among = of(table, power)
    if not among:
        return None
    if taker is None:
        treasure = table.pick(why, among, sight=[power], pile=hand(power), **more)
        table.card(treasure, hand(power), SPENT, why=why, **more)
        return treasure
    treasure = table.pick(why, among, sight=[power, taker], pile=hand(power), place=hand(taker), **more)
    table.card(treasure, hand(power), hand(taker), to=[power, taker], why=why, **more)
    return treasure


def random_from_hand(table: Table, power: str, taker: str | None, why: str, **more: Any) -> str | None:
    """6.3, the mixed hand: a card by chance where there are more cards than treasures, else a treasure.

    Home cards are never taken; by option `home_cards_in_mixed_hand` they count among the cards (GB-50). Value: the card
    or treasure, or None where there is none.
    """
    counted = hands.drawable(table, power)
    if table.options["home_cards_in_mixed_hand"] == "counted":
        counted = hands.cards_of(table, power)
    if len(counted) > len(of(table, power)) and hands.drawable(table, power):
        return hands.random_card(table, power, taker, why, **more)
    return random_treasure(table, power, taker, why, **more) or hands.random_card(table, power, taker, why, **more)


def spend(table: Table, power: str, treasure: str, **more: Any) -> None:
    """A treasure of a hand lies face up until the next Card Draw phase."""
    table.card(treasure, hand(power), SPENT, **more)


def discard_hands(table: Table) -> None:
    """20.2: treasures still in hand are discarded in winter."""
    for power in table.board.powers:
        for treasure in of(table, power):
            spend(table, power, treasure, why="winter", section="20.2")
