"""20.1 to 20.3: colonies, voyages of exploration and conquest, and phase 8, which resolves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.here_i_stand.new_world.holdings import (
    CABOT,
    CIRCUMNAVIGATION,
    CONQUEST,
    DISPLAY,
    EXPLORATION,
    ONCE_A_TURN,
    STRAIT,
    colonies,
    colony_limit,
    crossing,
    discoveries_of,
    free_colony,
    pool_of,
    value_of,
)
from pbem.games.here_i_stand.places import REMOVED
from pbem.games.reformation import hands, marks
from pbem.games.reformation.action import Action
from pbem.table.asking import choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question


def happens(table: Table) -> bool:
    """Every turn has a New World phase."""
    return True


# --- setting out ---


def why_not_sail(table: Table, kind: str, power: str) -> Refused | None:
    """20.2, 20.3: why a power may not start a voyage of a kind now; None when it may."""
    if power not in table.kit.constants["new_world_powers"]:
        return Refused("not_to_the_new_world", power=power)
    if marks.noted(table, "turn", ONCE_A_TURN[kind], power):
        return Refused("voyage_this_turn", voyage=kind)
    if not pool_of(table, kind, power):
        return Refused("no_explorer_left" if kind == EXPLORATION else "no_conquistador_left")
    return None


def set_sail(table: Table, kind: str, power: str, *, bonus: int = 0, section: str) -> None:
    """20.2, 20.3: the marker goes to Crossing Atlantic; cards that start a voyage (50, 101) call this with a bonus."""
    marks.note(table, "turn", ONCE_A_TURN[kind], power)
    table.put(f"voyage:{kind}:{power}", crossing(power), why="voyage", section=section, bonus=bonus)


class Explore(Action):
    """Start a voyage of exploration, once a turn; it is resolved in the New World phase."""

    action = "explore"
    line = "EXPLORE"

    def check_action(self, table: Table, power: str) -> None:
        reason = why_not_sail(table, EXPLORATION, power)
        if reason:
            raise reason.under("20.2")

    def procedure(self, table: Table, power: str) -> Procedure:
        """20.2."""
        set_sail(table, EXPLORATION, power, section="20.2")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls()


class Conquer(Action):
    """Start a voyage of conquest, once a turn; it is resolved in the New World phase."""

    action = "conquer"
    line = "CONQUER"

    def check_action(self, table: Table, power: str) -> None:
        reason = why_not_sail(table, CONQUEST, power)
        if reason:
            raise reason.under("20.3")

    def procedure(self, table: Table, power: str) -> Procedure:
        """20.3."""
        set_sail(table, CONQUEST, power, section="20.3")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls()


class Colonize(Action):
    """Found a colony, once a turn; it arrives in the New World phase."""

    action = "colonize"
    line = "COLONIZE"

    def check_action(self, table: Table, power: str) -> None:
        if marks.noted(table, "turn", "colonize", power):
            raise Refused("colony_this_turn", "20.1")
        if free_colony(table, power) is None:
            raise Refused("colonies_full", "20.1", most=colony_limit(table, power))

    def procedure(self, table: Table, power: str) -> Procedure:
        """20.1."""
        marks.note(table, "turn", "colonize", power)
        colony = free_colony(table, power)
        assert colony is not None
        table.put(colony, crossing(power), why="voyage", section="20.1")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls()


# --- 20.1: colonies arrive ---


def colonies_arrive(table: Table) -> Procedure:
    """20.1: colonies go from Crossing Atlantic to the boxes of their power."""
    for power in table.board.powers:
        for colony in colonies(table, power):
            if table.board.pieces[colony]["at"] == crossing(power):
                table.put(colony, power, why="arrives", section="20.1")
                table.count("colonies", power, 1, section="20.1")
    return
    yield


# --- 20.2: exploration ---


def explorations(table: Table) -> Procedure:
    """20.2: each voyage gets an explorer by chance; they are resolved from the best explorer down."""
    for power in table.kit.constants["exploration_tie_order"]:
        _choose_agent(table, f"voyage:{EXPLORATION}:{power}", EXPLORATION, power)
    for voyage in _by_value(table):
        yield from exploration(table, voyage)


def _choose_agent(table: Table, voyage: str, kind: str, power: str) -> None:
    piece = table.board.pieces.get(voyage)
    if piece is None:
        return
    among = pool_of(table, kind, power)
    if not among:
        table.put(voyage, None, why="no_agent", section="20.2")
        return
    # English and French conquest markers are all alike; nothing is thrown for the only one.
    alike = len({agent.partition(":")[0] for agent in among}) == 1
    agent = among[0] if alike else table.pick(kind, among, power=power, section="20")
    table.mark(voyage, why="agent", section="20", agent=agent, bonus=piece.get("bonus", 0))
    table.tell("agent", power=power, kind=kind, agent=agent, section="20")


def _by_value(table: Table) -> list[str]:
    """20.2: the voyages of exploration, highest explorer first; ties England, France, the Hapsburg; Cabot after."""
    tie_order = table.kit.constants["exploration_tie_order"]
    groups = []
    for place, power in enumerate(tie_order):
        for after, kind in enumerate((EXPLORATION, CABOT)):
            voyage = f"voyage:{kind}:{power}"
            if voyage in table.board.pieces:
                worth = value_of(table, EXPLORATION, table.board.pieces[voyage]["agent"])
                groups.append((-worth, place, after, voyage))
    return [voyage for *_, voyage in sorted(groups)]


def _unclaimed(table: Table, discovery: str) -> bool:
    return table.board.pieces[f"discovery:{discovery}"]["at"] == DISPLAY


def exploration(table: Table, voyage: str) -> Procedure:
    """20.2: one voyage: two dice and the explorer's value on the table of exploration."""
    constants = table.kit.constants
    power, agent, modifier = _modifier(table, voyage, EXPLORATION)
    total = _throw(table, EXPLORATION, power, agent, modifier)
    if total <= constants["explore_lost_to"]:
        _lost(table, power, agent)
    elif total <= constants["explore_nothing_to"]:
        _nothing(table, EXPLORATION, power, agent)
    elif total < constants["explore_choice_from"]:
        rivers = [id for id in discoveries_of(table, EXPLORATION) if _is_river(table, id)]
        river = next_below(table, total, rivers)
        if river:
            claim(table, EXPLORATION, power, agent, river)
        else:
            _nothing(table, EXPLORATION, power, agent)
    else:
        yield from _deep_choice(table, power, agent, modifier)
    _voyage_over(table, voyage)


def _modifier(table: Table, voyage: str, kind: str) -> tuple[str, str, int]:
    """Whose voyage it is, the agent, and what is added to the dice."""
    piece = table.board.pieces[voyage]
    agent = piece["agent"]
    return voyage.rpartition(":")[2], agent, value_of(table, kind, agent) + piece.get("bonus", 0)


def _throw(table: Table, what: str, power: str, agent: str, modifier: int) -> int:
    dice = table.roll(
        what, power, table.kit.constants["explore_dice"], agent=agent, modifier=modifier, section="20"
    )
    return sum(dice) + modifier


def _is_river(table: Table, discovery: str) -> bool:
    """Whether a discovery is one of those found by their own number, below the choice at ten."""
    return table.kit.tables["discoveries"][discovery]["roll"] < table.kit.constants["explore_choice_from"]


def next_below(table: Table, total: int, among: Sequence[str]) -> str | None:
    """20.2, 20.3: the unclaimed one of a number, or the next below; Q-12: failing that nothing, or the next above."""
    rows = table.kit.tables["discoveries"]
    free = [id for id in among if _unclaimed(table, id)]
    below = [id for id in free if rows[id]["roll"] <= total]
    if below:
        return below[-1]
    return free[0] if free and table.options["nothing_below"] == "next_higher" else None


def _lost(table: Table, power: str, agent: str, where: str = REMOVED) -> None:
    """20.2: the explorer is out of the game; a Cabot takes his card with him (20.2, example)."""
    table.put(f"explorer:{agent}", where, why="lost", section="20.2")
    table.tell("explorer_lost", power=power, agent=agent, section="20.2")
    card = table.kit.tables["explorers"][agent]["card"]
    if card:
        origin = next(name for name, held in table.board.piles.items() if card in held)
        if origin != hands.REMOVED:
            table.card(card, origin, hands.REMOVED, why="cabot_lost", section="20.2")


def _nothing(table: Table, kind: str, power: str, agent: str) -> None:
    """20.2, 20.3: nothing is found; the agent goes back to the pool. A Cabot leaves after his voyage (card 99)."""
    table.tell("nothing_found", power=power, kind=kind, agent=agent, section="20")
    if kind == EXPLORATION and table.kit.tables["explorers"][agent]["card"]:
        table.put(f"explorer:{agent}", REMOVED, why="voyage_over", section="20.2")


def _voyage_over(table: Table, voyage: str) -> None:
    table.put(voyage, None, why="voyage_over", section="20")


def claim(table: Table, kind: str, power: str, agent: str, discovery: str) -> None:
    """20.2, 20.3: the VP marker goes to the power, the agent stays on the display for good.

    A conquest lies at the riches table until it is exhausted; its VP count at once.
    """
    section = "20.3" if kind == CONQUEST else "20.2"
    more = {"riches": True} if kind == CONQUEST else {}
    table.put(f"discovery:{discovery}", power, why=kind, section=section, **more)
    piece = "conquistador" if kind == CONQUEST else "explorer"
    table.put(f"{piece}:{agent}", discovery, why=kind, section=section)
    table.tell("discovered", power=power, kind=kind, discovery=discovery, agent=agent, section=section)


def deep_choices(table: Table) -> list[str]:
    """20.2: what an explorer may do with 10 or more: the Amazon, a discovery of 1 VP, or through the strait."""
    choices_left = [
        id
        for id in reversed(discoveries_of(table, EXPLORATION))
        if id != STRAIT and table.kit.tables["discoveries"][id]["choice_at_ten"] and _unclaimed(table, id)
    ]
    return [*choices_left, *([STRAIT] if _unclaimed(table, CIRCUMNAVIGATION) else [])]


def _deep_choice(table: Table, power: str, agent: str, modifier: int) -> Procedure:
    """20.2: 10 or more; the owner chooses. Silence takes the most VP without a risk."""
    chosen = yield from choose(
        table, power, "option", deep_choices, kind="new_world_choice", section="20.2", agent=agent
    )
    if chosen is None:
        _nothing(table, EXPLORATION, power, agent)
    elif chosen == STRAIT:
        _circumnavigate(table, power, agent, modifier)
    else:
        claim(table, EXPLORATION, power, agent, chosen)


def _circumnavigate(table: Table, power: str, agent: str, modifier: int) -> None:
    """20.2: through the strait, whose VP he takes if nobody has; two dice again with the same modifiers."""
    constants = table.kit.constants
    first = _unclaimed(table, STRAIT)
    if first:
        claim(table, EXPLORATION, power, agent, STRAIT)
    total = _throw(table, CIRCUMNAVIGATION, power, agent, modifier)
    if total < constants["circumnavigation_from"]:
        _lost(table, power, agent, STRAIT if first else REMOVED)
        return
    claim(table, EXPLORATION, power, agent, CIRCUMNAVIGATION)
    if total >= constants["circumnavigation_card_from"]:
        hands.draw_cards(table, power, constants["circumnavigation_cards"], "event_draw", section="20.2")


# --- 20.3: conquest ---


def conquests(table: Table) -> Procedure:
    """20.3: the Hapsburg gets a conquistador by chance; the Hapsburg first, then England, then France."""
    for power in table.kit.constants["conquest_order"]:
        voyage = f"voyage:{CONQUEST}:{power}"
        _choose_agent(table, voyage, CONQUEST, power)
        if voyage in table.board.pieces:
            conquest(table, voyage)
    return
    yield


def conquest(table: Table, voyage: str) -> None:
    """20.3: one voyage: two dice and the conquistador's value."""
    constants = table.kit.constants
    power, agent, modifier = _modifier(table, voyage, CONQUEST)
    total = _throw(table, CONQUEST, power, agent, modifier)
    if total <= constants["conquest_lost_to"]:
        table.put(f"conquistador:{agent}", REMOVED, why="lost", section="20.3")
        table.tell("conquistador_lost", power=power, agent=agent, section="20.3")
    else:
        discovery = None
        if total > constants["conquest_nothing_to"]:
            discovery = next_below(table, total, discoveries_of(table, CONQUEST))
        if discovery:
            claim(table, CONQUEST, power, agent, discovery)
        else:
            _nothing(table, CONQUEST, power, agent)
    _voyage_over(table, voyage)


SEGMENTS = (("colonies", colonies_arrive), ("explorations", explorations), ("conquests", conquests))
ORDERS = ()
ACTIONS = (Explore, Colonize, Conquer)
