"""The cards of the New World (20): 48, 49, 50, 53, 54, 98, 99, 101."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.new_world import holdings, voyages
from pbem.games.here_i_stand.places import OFF
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.ground import home_spaces, in_unrest, religion
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def sailors(table: Table) -> list[str]:
    """The powers that go to the New World, in impulse order."""
    return [power for power in table.board.powers if power in table.kit.constants["new_world_powers"]]


def _choose_power(table: Table, power: str, card: int, among: Callable[[Table], Sequence[str]]) -> Procedure:
    """Whom a card is for; its player is offered first."""

    def own_first(table: Table) -> list[str]:
        return sorted(among(table), key=lambda one: one != power)

    return (yield from choose(table, power, "power", own_first, section="20", number=card))


def _modifier(table: Table, card: int) -> int:
    return table.kit.tables["card_numbers"][f"{card}:modifier"]["value"]


# --- 48, 49, 53: markers ---


def _without(table: Table, marker: str) -> list[str]:
    return [power for power in sailors(table) if not holdings.has(table, marker, power)]


def _raider_powers(table: Table) -> list[str]:
    """49: England, France or the Protestant, with a Protestant home port and no raider in play."""
    return [
        power
        for power in table.board.powers
        if power in table.kit.constants["raider_order"]
        and not holdings.has(table, "raiders", power)
        and any(
            atlas(table).ports[space] and religion(table, space) == "protestant" and not in_unrest(table, space)
            for space in home_spaces(table, power)
        )
    ]


@event("galleons")
def galleons(table: Table, power: str, moment: Moment) -> Procedure:
    """48: a Galleons marker for England, France or the Hapsburg."""
    taker = yield from _choose_power(table, power, 48, lambda t: _without(t, "galleons"))
    holdings.give_marker(table, "galleons", taker, why="galleons", section="20.4")


@playable("galleons")
def _galleons(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _without(table, "galleons") else Refused("galleons_everywhere")


@event("plantations")
def plantations(table: Table, power: str, moment: Moment) -> Procedure:
    """53: a Plantations marker for England, France or the Hapsburg."""
    taker = yield from _choose_power(table, power, 53, lambda t: _without(t, "plantations"))
    holdings.give_marker(table, "plantations", taker, why="plantations", section="20.4")


@playable("plantations")
def _plantations(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _without(table, "plantations") else Refused("plantations_everywhere")


@event("huguenot_raiders")
def huguenot_raiders(table: Table, power: str, moment: Moment) -> Procedure:
    """49: a raider for England, France or the Protestant against the riches of the Hapsburg."""
    taker = yield from _choose_power(table, power, 49, _raider_powers)
    holdings.give_marker(table, "raiders", taker, why="raiders", section="20.4")


@playable("huguenot_raiders")
def _huguenot_raiders(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _raider_powers(table) else Refused("no_raider_port")


# --- 50, 101: voyages with a bonus ---


def _can_sail(kind: str) -> Callable[[Table], list[str]]:
    return lambda table: [power for power in sailors(table) if voyages.why_not_sail(table, kind, power) is None]


@event("mercators_map")
def mercators_map(table: Table, power: str, moment: Moment) -> Procedure:
    """50: an exploration with +2 for England, France or the Hapsburg; it is that power's exploration of the turn."""
    taker = yield from _choose_power(table, power, 50, _can_sail(holdings.EXPLORATION))
    voyages.set_sail(table, holdings.EXPLORATION, taker, bonus=_modifier(table, 50), section="20.2")


@playable("mercators_map")
def _mercators_map(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _can_sail(holdings.EXPLORATION)(table) else Refused("nobody_explores")


@event("smallpox")
def smallpox(table: Table, power: str, moment: Moment) -> Procedure:
    """101: a conquest with +2 for England, France or the Hapsburg; it is that power's conquest of the turn."""
    taker = yield from _choose_power(table, power, 101, _can_sail(holdings.CONQUEST))
    voyages.set_sail(table, holdings.CONQUEST, taker, bonus=_modifier(table, 101), section="20.3")


@playable("smallpox")
def _smallpox(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _can_sail(holdings.CONQUEST)(table) else Refused("nobody_conquers")


# --- 54: Potosi Silver Mines ---


def _potosi_powers(table: Table) -> list[str]:
    return [power for power in sailors(table) if holdings.free_colony(table, power)]


@event("potosi_silver_mines")
def potosi_silver_mines(table: Table, power: str, moment: Moment) -> Procedure:
    """54: Potosi goes into a free box at once; one of the power's colony markers leaves the game for it."""
    taker = yield from _choose_power(table, power, 54, _potosi_powers)
    table.set("potosi", taker, section="20.1")
    table.put(f"colony:{taker}:potosi", taker, why="potosi", section="20.1")
    table.count("colonies", taker, 1, section="20.1")


@playable("potosi_silver_mines")
def _potosi_silver_mines(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _potosi_powers(table) else Refused("no_free_colony")


# --- 98: Search for Cibola ---


def voyages_under_way(table: Table) -> list[str]:
    """The voyages of exploration and conquest under way."""
    return sorted(piece for piece in table.board.pieces if piece.startswith("voyage:"))


@event("search_for_cibola")
def search_for_cibola(table: Table, power: str, moment: Moment) -> Procedure:
    """98: a voyage of exploration or conquest is cancelled; another one of its kind has to wait for the next turn."""
    named = yield from choose(
        table,
        power,
        "option",
        lambda t: [voyage.removeprefix("voyage:").replace(":", "_") for voyage in voyages_under_way(t)],
        section="20",
        number=98,
    )
    kind, _, owner = named.partition("_")
    table.put(f"voyage:{kind}:{owner}", None, why="search_for_cibola", section="20")
    if kind == holdings.CABOT:
        table.put(f"explorer:cabot_{owner}", OFF, why="search_for_cibola", section="20")
        table.set("cabot", [one for one in table.board.state.get("cabot", []) if one != owner], section="20.2")


@playable("search_for_cibola")
def _search_for_cibola(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if voyages_under_way(table) else Refused("no_voyage")


# --- 99: Sebastian Cabot ---


def _cabot_powers(table: Table) -> list[str]:
    return [power for power in sailors(table) if power not in table.board.state.get("cabot", ())]


@event("sebastian_cabot")
def sebastian_cabot(table: Table, power: str, moment: Moment) -> Procedure:
    """99: Cabot explores for a power, once a game for each, beside its exploration of the turn."""
    taker = yield from _choose_power(table, power, 99, _cabot_powers)
    table.set("cabot", sorted([*table.board.state.get("cabot", []), taker]), section="20.2")
    agent = f"cabot_{taker}"
    table.put(f"explorer:{agent}", holdings.crossing(taker), why="voyage", section="20.2")
    table.put(
        f"voyage:{holdings.CABOT}:{taker}",
        holdings.crossing(taker),
        why="voyage",
        section="20.2",
        agent=agent,
        bonus=0,
    )


@playable("sebastian_cabot")
def _sebastian_cabot(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _cabot_powers(table) else Refused("cabot_sailed")
