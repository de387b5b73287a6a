"""20: the New World: voyages, their resolution, riches and raiders.

Pieces: ``voyage:<exploration|conquest|cabot>:<power>`` and ``colony:<power>:<n>`` at ``crossing:<power>`` while they
are under way (marks: ``bonus`` of a card, ``agent`` once the explorer or conquistador is known); a colony that has come
is at its power. Explorers and conquistadors are at ``pool``, ``removed``, or at the discovery that they made.
State: ``galleons, plantations, raiders`` (lists of powers that have the marker), ``potosi`` (who founded it), ``cabot``
(powers whose Cabot has sailed).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.here_i_stand.places import POOL, REMOVED
from pbem.games.reformation import hands, marks
from pbem.games.reformation.action import Action
from pbem.table.asking import choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

HAPSBURG = "hapsburg"
EXPLORATION, CONQUEST, CABOT = "exploration", "conquest", "cabot"
STRAIT, CIRCUMNAVIGATION, DISPLAY = "pacific_strait", "circumnavigation", "display"
ONCE_A_TURN = {EXPLORATION: "explore", CONQUEST: "conquer"}
"""The mark of the turn that a voyage of a kind leaves (20.2, 20.3)."""


def happens(table: Table) -> bool:
    """Every turn has a New World phase."""
    return True


# --- what a power has ---


def crossing(power: str) -> str:
    """The box Crossing Atlantic, as far as it is a power's."""
    return f"crossing:{power}"


def pool_of(table: Table, kind: str, power: str) -> list[str]:
    """The explorers (or conquistadors) that a power can still send, in the order of the kit; not those under way."""
    pieces = table.board.pieces
    rows = table.kit.tables["explorers" if kind == EXPLORATION else "conquistadors"]
    prefix = "explorer:" if kind == EXPLORATION else "conquistador:"
    return [
        piece.removeprefix(prefix)
        for piece in pieces
        if piece.startswith(prefix)
        and pieces[piece]["at"] == POOL
        and rows[piece.removeprefix(prefix).partition(":")[0]]["power"] == power
    ]


def value_of(table: Table, kind: str, agent: str) -> int:
    """The value of an explorer or conquistador."""
    rows = table.kit.tables["conquistadors" if kind == CONQUEST else "explorers"]
    return rows[agent.partition(":")[0]]["value"]


def colonies(table: Table, power: str, *, arrived: bool = False) -> list[str]:
    """The colonies of a power, those under way too unless only the `arrived` are wanted; Potosí among them."""
    return sorted(
        piece
        for piece, where in table.board.pieces.items()
        if piece.startswith(f"colony:{power}:") and (where["at"] == power or not arrived)
    )


def colony_limit(table: Table, power: str) -> int:
    """20.1: how many colonies a power may have at once; a marker went out of the game for Potosí (card 54)."""
    gone = 1 if table.board.state.get("potosi") == power else 0
    return table.kit.tables["powers"][power]["colonies"] - gone


def plain_colonies(table: Table, power: str) -> list[str]:
    """The colonies of a power that are not Potosí."""
    return [piece for piece in colonies(table, power) if not piece.endswith(":potosi")]


def free_colony(table: Table, power: str) -> str | None:
    """A colony marker of a power that is not in use, or None."""
    used = plain_colonies(table, power)
    if len(used) >= colony_limit(table, power):
        return None
    numbers = range(1, table.kit.tables["powers"][power]["colonies"] + 1)
    return next(f"colony:{power}:{n}" for n in numbers if f"colony:{power}:{n}" not in used)


def has(table: Table, marker: str, power: str) -> bool:
    """Whether a power has a marker: ``galleons``, ``plantations``, ``raiders``."""
    return power in table.board.state.get(marker, ())


def give_marker(table: Table, marker: str, power: str, **more: str) -> None:
    """Give a power a marker: ``galleons``, ``plantations``, ``raiders`` (cards 48, 53, 49)."""
    table.set(marker, sorted({*table.board.state.get(marker, ()), power}), **more)


def lose_marker(table: Table, marker: str, power: str, **more: str) -> None:
    """Take a marker from a power."""
    table.set(marker, [one for one in table.board.state.get(marker, ()) if one != power], **more)


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
    found = []
    for place, power in enumerate(tie_order):
        for after, kind in enumerate((EXPLORATION, CABOT)):
            voyage = f"voyage:{kind}:{power}"
            if voyage in table.board.pieces:
                worth = value_of(table, EXPLORATION, table.board.pieces[voyage]["agent"])
                found.append((-worth, place, after, voyage))
    return [voyage for *_, voyage in sorted(found)]


def _unclaimed(table: Table, discovery: str) -> bool:
    return table.board.pieces[f"discovery:{discovery}"]["at"] == DISPLAY


def _rows(table: Table, kind: str) -> list[str]:
    """The discoveries of a kind, by their number."""
    rows = table.kit.tables["discoveries"]
    return sorted((id for id, row in rows.items() if row["kind"] == kind), key=lambda id: rows[id]["roll"])


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
        found = next_below(table, EXPLORATION, total, [id for id in _rows(table, EXPLORATION) if _is_river(table, id)])
        if found:
            claim(table, EXPLORATION, power, agent, found)
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


def next_below(table: Table, kind: str, total: int, among: Sequence[str]) -> str | None:
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
    found = [
        id
        for id in reversed(_rows(table, EXPLORATION))
        if id != STRAIT and table.kit.tables["discoveries"][id]["choice_at_ten"] and _unclaimed(table, id)
    ]
    return [*found, *([STRAIT] if _unclaimed(table, CIRCUMNAVIGATION) else [])]


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
        found = None
        if total > constants["conquest_nothing_to"]:
            found = next_below(table, CONQUEST, total, _rows(table, CONQUEST))
        if found:
            claim(table, CONQUEST, power, agent, found)
        else:
            _nothing(table, CONQUEST, power, agent)
    _voyage_over(table, voyage)


# --- 20.4: riches ---


def riches(table: Table) -> Procedure:
    """20.4: a roll for each colony and conquest; the cards gained are counted in ``cards_extra:<power>``."""
    for power in table.board.powers:
        for colony in colonies(table, power, arrived=True):
            column = "potosi" if colony.endswith(":potosi") else "colony"
            bonus = table.kit.constants["plantations_bonus"] if has(table, "plantations", power) else 0
            result = _riches_roll(table, power, column, bonus)
            _card_of(table, power, result)
            if result == "eliminated":
                table.put(colony, None, why="riches", section="20.4")
                table.count("colonies", power, -1, section="20.4")
        for discovery in _rows(table, CONQUEST):
            piece = table.board.pieces[f"discovery:{discovery}"]
            if piece["at"] == power and piece.get("riches"):
                result = _riches_roll(table, power, discovery, 0)
                _card_of(table, power, result)
                if result in ("deplete", "eliminated"):
                    table.put(f"discovery:{discovery}", power, why="riches", section="20.4", riches=False)
    return
    yield


def _riches_roll(table: Table, power: str, column: str, bonus: int) -> str:
    constants, rows = table.kit.constants, table.kit.tables["riches"]
    dice = table.roll("riches", power, constants["riches_dice"], source=column, modifier=bonus, section="20.4")
    most = max(int(roll) for roll in rows)
    result = rows[str(min(most, sum(dice) + bonus))][column]
    table.tell("riches", power=power, source=column, result=result, section="20.4")
    return result


def _card_of(table: Table, power: str, result: str) -> None:
    """A result that gives a card: to the power, unless raiders take it from the Hapsburg."""
    if result not in ("card", "deplete") and not (result == "galleon" and has(table, "galleons", power)):
        return
    taker = _raided(table) if power == HAPSBURG else None
    name = f"cards_extra:{taker or power}"
    table.set(name, table.board.state.get(name, 0) + 1, section="20.4")


def _raided(table: Table) -> str | None:
    """20.4: the raiders of France, England and the Protestant try in this order; who takes the card, or None."""
    rows = table.kit.tables["raiders"]
    for power in table.kit.constants["raider_order"]:
        if not has(table, "raiders", power):
            continue
        row = rows[str(table.roll("raiders", power, 1, section="20.4")[0])]
        galleons = has(table, "galleons", HAPSBURG)
        if row["raider"] == "eliminated" or (row["raider"] == "eliminated_by_galleons" and galleons):
            lose_marker(table, "raiders", power, why="raiders", section="20.4")
        if row["result"] == "stolen":
            table.tell("raided", power=power, target=HAPSBURG, section="20.4")
            return power
    return None


SEGMENTS = (("colonies", colonies_arrive), ("explorations", explorations), ("conquests", conquests))
ORDERS = ()
ACTIONS = (Explore, Colonize, Conquer)
