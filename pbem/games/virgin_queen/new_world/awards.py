"""16.4, 16.5, 23.2: what the hits of piracy bring, one reward a hit, spread evenly over what there is.

No reward may be given a second time before all that are possible were given once, and an empty one never. The context
of a question says where it is: ``act`` (``europe, world, fleet``), ``zone, target, captain, hits`` (not answered yet)
and ``given`` (rewards of this act so far). The target chooses, for Portugal Spain; against the fleet the attacker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import Position, has_ships, naval_leaders, positions_near, ships, sink
from pbem.games.reformation.forces import Force
from pbem.games.virgin_queen.new_world import captains, treasures
from pbem.games.virgin_queen.places import ESCORTS
from pbem.games.virgin_queen.powers.majors import SPAIN
from pbem.games.virgin_queen.victory import score
from pbem.games.virgin_queen.war import armada, naval
from pbem.table.asking import Ask, choose
from pbem.table.kit import Kit
from pbem.table.orders import AnyName, Choice, Many, Name, Order, Refused, find_name
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

EUROPE, WORLD, FLEET = "europe", "world", "fleet"
VP, CARD, SHIP, ARMADA, TREASURE, PATROL, ESCORT = "vp", "card", "ship", "armada", "treasure", "patrol", "escort"
SECTIONS = {EUROPE: "16.4", WORLD: "16.5", FLEET: "23.2"}
FLEET_TREASURES = f"treasures_at_stake:{SPAIN}"
"""The treasures that the fleet brings (23.2 step 2); Spain alone knows them."""
GALLEON = "galleon"

Give = Callable[[Table, Mapping[str, Any], "Prize"], Procedure]


class _Owner(AnyName):
    """A major or a minor power."""

    def __init__(self, **more: Any):
        super().__init__("power", "minor", **more)

    def read(self, words: Sequence[str], names: Kit) -> str:
        text = " ".join(words)
        return names.find("minor", text) or find_name(names, "power", text)


class Prize(Order):
    """What one hit brings: a ship also of which kind, whose and where, in case there are several."""

    line = "{kind} [{unit}] [OF {owner}] [AT {place}]"
    kind = Choice(VP, CARD, SHIP, ARMADA, TREASURE, PATROL, ESCORT)
    unit = Name("unit", optional=True)
    owner = _Owner(optional=True)
    place = Position(optional=True)


class Award(Order):
    """Say what each hit of piracy brings, evenly spread; for hits not named you are asked again."""

    line = "AWARD {prizes}"
    prizes = Many(Prize, most=20)

    def check(self, table: Table, question: Question) -> None:
        context = question.context
        section = SECTIONS[context["act"]]
        if len(self.prizes) > context["hits"]:
            raise Refused("too_many_prizes", section, hits=context["hits"])
        given, left = dict(context["given"]), stock(table, context)
        ships_lost: dict[tuple[str, str, str], int] = {}
        for prize in self.prizes:
            even = evenly(given, left)
            if prize.kind not in even:
                raise Refused("uneven_prizes" if left.get(prize.kind) else "no_such_prize", section, even, kinds=even)
            if prize.kind == SHIP:
                key = find_ship(table, context, prize)
                ships_lost[key] = ships_lost.get(key, 0) + 1
                if ships_lost[key] > ships(table, key[0], context["target"])[key[1]][key[2]]:
                    raise Refused("too_few_ships", section, place=key[0])
            given[prize.kind] = given.get(prize.kind, 0) + 1
            left[prize.kind] -= 1

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for prize in possible(table, question.context):
            yield cls(prizes=[prize])


def stock(table: Table, context: Mapping[str, Any]) -> dict[str, int]:
    """How often each reward could be given now."""
    act, zone, target = context["act"], context["zone"], context["target"]
    left = {VP: context["hits"]}
    if act == EUROPE:
        left[SHIP] = sum(number for *_, number in ships_near(table, target, zone))
        left[CARD] = len(hands.drawable(table, target)) + len(treasures.of(table, target))
        if target == SPAIN and armada.place(table) in (zone, *positions_near(table, zone)):
            left[ARMADA] = armada.levels(table)
    elif act == WORLD:
        left[PATROL] = table.board.count(zone, SPAIN, "patrol")
        left[TREASURE] = treasures_to_take(table, zone, target, context["captain"])
    else:
        left[TREASURE] = len(treasures.held(table, FLEET_TREASURES))
        left[ESCORT] = table.board.count(ESCORTS, SPAIN, GALLEON)
    return {kind: number for kind, number in left.items() if number > 0}


def evenly(given: Mapping[str, int], left: Mapping[str, int]) -> list[str]:
    """16.4, 16.5: of the rewards that are possible those that were given least often."""
    possible = [kind for kind, number in left.items() if number > 0]
    least = min((given.get(kind, 0) for kind in possible), default=0)
    return [kind for kind in possible if given.get(kind, 0) == least]


def possible(table: Table, context: Mapping[str, Any]) -> list[Prize]:
    """What may be given for the next hit."""
    rewards = []
    for kind in evenly(context["given"], stock(table, context)):
        if kind != SHIP:
            rewards.append(Prize(kind=kind))
            continue
        for place, owner, unit, _ in ships_near(table, context["target"], context["zone"]):
            rewards.append(Prize(kind=SHIP, unit=unit, owner=owner, place=place))
    return rewards


def ships_near(table: Table, target: str, zone: str) -> list[tuple[str, str, str, int]]:
    """16.4 step 5 a: the target's ships in the zone or next to it: place, owner, kind, number; not the Armada."""
    return [
        (place, owner, kind, number)
        for place in (zone, *positions_near(table, zone))
        for owner, kinds in ships(table, place, target).items()
        for kind, number in kinds.items()
        if kind != armada.ARMADA
    ]


def find_ship(table: Table, context: Mapping[str, Any], prize: Prize) -> tuple[str, str, str]:
    """The place, owner and kind of the ship that a prize names. Raises `Refused` where there is none."""
    for place, owner, kind, _ in ships_near(table, context["target"], context["zone"]):
        if prize.place in (None, place) and prize.owner in (None, owner) and prize.unit in (None, kind):
            return place, owner, kind
    raise Refused("no_such_ship", "16.4", sea=context["zone"])


def fortresses_on(table: Table, power: str, zone: str) -> int:
    """16.5: the fortresses in villages of a power that touch a zone."""
    state = table.board.state
    villages = captains.villages_on(table, zone)
    return sum(1 for one in villages if state.get(f"village:{one}") == power and state.get(f"fortress:{one}"))


def treasures_to_take(table: Table, zone: str, target: str, captain: str) -> int:
    """16.5 step 5: how many treasures of the row can be taken; a Spanish fortress on the zone keeps the last one."""
    if target != SPAIN:
        return len(treasures.held(table, treasures.PORTUGAL))
    keeps = fortresses_on(table, SPAIN, zone) and not captains.bonus(table, captain, "nothing_hidden")
    return max(0, len(treasures.held(table, treasures.SPAIN)) - (1 if keeps else 0))


def in_order(table: Table, question: Question) -> Award:
    """Silence: a prize for every hit that is left, evenly spread, so that it is asked once; VP before what is held."""
    context = question.context
    given, left = dict(context["given"]), stock(table, context)
    near = ships_near(table, context["target"], context["zone"]) if left.get(SHIP) else []
    lost = [Prize(kind=SHIP, unit=unit, owner=owner, place=place) for place, owner, unit, n in near for _ in range(n)]
    prizes: list[Prize] = []
    while len(prizes) < context["hits"] and (even := evenly(given, left)):
        kind = even[0]
        prizes.append(lost.pop(0) if kind == SHIP else Prize(kind=kind))
        given[kind] = given.get(kind, 0) + 1
        left[kind] -= 1
    return Award(prizes=prizes)


def awards(table: Table, chooser: str | None, context: dict[str, Any], hits: int, give: Give) -> Procedure:
    """16.4 step 5, 16.5 step 5, 23.2 step 4: what each hit brings; nobody is asked where there is nothing to choose.

    Without a seat the first that is possible is given.
    """
    section = SECTIONS[context["act"]]
    given: dict[str, int] = {}
    left = hits
    while left:
        now = {**context, "hits": left, "given": dict(given)}
        among = possible(table, now)
        if not among:
            return
        prizes = among[:1]
        if chooser is not None and len(among) > 1:
            order = yield Ask(
                chooser,
                "piracy_award",
                [Award],
                in_order,
                context={**now, "action": "piracy"},
                section=section,
            )
            prizes = order.prizes
        for prize in prizes:
            yield from give(table, now, prize)
            given[prize.kind] = given.get(prize.kind, 0) + 1
            left -= 1


# --- what a reward is ---


def give_vp(table: Table, power: str, section: str) -> None:
    """1 VP of piracy."""
    score.award(table, power, "piracy", table.kit.constants["piracy_vp"], why="piracy", section=section)


def give_in_europe(table: Table, context: Mapping[str, Any], prize: Prize) -> Procedure:
    """16.4 step 5: a ship is lost, a card drawn, VP scored or the Armada worn down."""
    power, target = context["power"], context["target"]
    if prize.kind == VP:
        give_vp(table, power, "16.4")
    elif prize.kind == ARMADA:
        armada.degrade(table, 1, why="piracy", section="16.4")
    elif prize.kind == SHIP:
        place, owner, kind = find_ship(table, context, prize)
        sink(table, target, place, Force({owner: {kind: 1}}), "16.4")
        if not has_ships(table, place, target) and place in atlas(table).sea:
            sink(table, target, place, Force({}, naval_leaders(table, place, target)), "16.4")
    else:
        taken = treasures.random_from_hand(table, target, power, "piracy", section="16.4")
        if taken is None:
            return
        aside = treasures.set_aside if taken in treasures.of(table, power) else hands.set_aside
        aside(table, power, taken, target, why="piracy", section="16.4")
    return
    yield


def give_abroad(table: Table, context: Mapping[str, Any], prize: Prize) -> Procedure:
    """16.5 step 5: a patrol is removed, a treasure of the row taken as loot, or VP scored."""
    power, zone, captain = context["power"], context["zone"], context["captain"]
    if prize.kind == VP:
        give_vp(table, power, "16.5")
    elif prize.kind == PATROL:
        table.remove(SPAIN, "patrol", zone, why="piracy", section="16.5")
    elif context["target"] == SPAIN:
        hidden = None
        if context["hides"]:
            hidden = yield from choose(
                table,
                SPAIN,
                "treasure",
                lambda table: treasures.dearest_first(table, treasures.SPAIN),
                kind="piracy_award",
                section="16.5",
                step="hide",
                captain=captain,
            )
        kept = [treasures.of_kind(table, treasures.SPAIN, hidden)] if hidden else []
        treasures.to_loot(table, captain, power, 1, treasures.SPAIN, seen_by=[SPAIN], kept=kept, section="16.5")
    else:
        treasures.to_loot(table, captain, power, 1, treasures.PORTUGAL, section="16.5")


def give_from_fleet(table: Table, context: Mapping[str, Any], prize: Prize) -> Procedure:
    """23.2 step 4: a treasure at stake is taken as loot, VP scored, or an escorting galleon sunk."""
    power, captain = context["power"], context["captain"]
    if prize.kind == VP:
        give_vp(table, power, "23.2")
    elif prize.kind == TREASURE:
        treasures.to_loot(table, captain, power, 1, FLEET_TREASURES, seen_by=[SPAIN], section="23.2")
    else:
        lose_escort(table, section="23.2")
    return
    yield


def lose_escort(table: Table, section: str = "23.2") -> None:
    """23.2: a galleon that escorts the treasure fleet is lost, as any ship."""
    for number, where in naval.lost_ships_go(table, SPAIN, GALLEON, 1, ESCORTS):
        table.move(SPAIN, GALLEON, number, ESCORTS, where, why="loss", section=section)


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (Award,)
