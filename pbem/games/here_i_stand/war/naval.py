"""16, 8.2, 19: ships. The naval actions, piracy, leaders from the Turn Track, and what winter does with ships.

The shared rules are in `reformation.naval` (movement, interception, combat), `reformation.fleets` (who commands which
ships, loans, ports) and `reformation.transport`. Piracy is this game's: only the Ottoman pirates, from corsairs.

Winter calls `remove_piracy_markers` (19.6); the way home of ships is in `reformation.homeward`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.reformation import hands, homeward, marks, naval
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.fleets import (
    Position,
    best_naval,
    has_ships,
    is_own_port,
    naval_leaders,
    positions_near,
    ships,
    sink,
)
from pbem.games.reformation.forces import (
    Force,
    land_owners,
)
from pbem.games.reformation.ground import controller
from pbem.games.reformation.house import house
from pbem.games.reformation.naval_actions import Sail, Transport
from pbem.games.reformation.piracy import Plunder, is_guard, thrown_hits
from pbem.games.reformation.relations import at_war, major_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Moment, response
from pbem.table.orders import AnyName, Choice, Many, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question
from pbem.table.said import Said

OTTOMAN, CORSAIR, SQUADRON = "ottoman", "corsair", "squadron"
KNIGHTS = "knights_of_st_john"
FORTRESS = "fortress"
PIRACY_MARKERS = "piracy"
"""The mark ``turn:piracy``: the zones with a piracy marker."""

ships_leave = naval.ships_leave


# --- 16.4: piracy ---


class Piracy(Plunder):
    """Let the corsairs in a sea zone plunder a power that controls a port on it."""

    action = "initiate_piracy"

    def check_action(self, table: Table, power: str) -> None:
        check_piracy(table, power, self.sea, self.power)

    def procedure(self, table: Table, power: str) -> Procedure:
        """16.4."""
        yield from piracy(table, power, self.sea, self.power)


def check_piracy(table: Table, power: str, zone: str, target: str) -> None:
    """16.4 step 1: raise `Refused` unless the power may plunder another one in a sea zone. No war is needed."""
    reason = rules(table).barred(table, power, "piracy")
    if reason:
        raise reason.under("16.4")
    if not table.board.state.get("barbary_pirates"):
        raise Refused("no_piracy_yet", "21.1")
    if not table.board.count(zone, power, CORSAIR):
        raise Refused("no_corsair_there", "16.4", sea=zone)
    if marks.noted(table, "turn", PIRACY_MARKERS, zone):
        raise Refused("piracy_there_already", "16.4", sea=zone)
    if target == power or not target_ports(table, target, zone):
        raise Refused("no_port_to_plunder", "16.4", power=target, sea=zone)


def target_ports(table: Table, target: str, zone: str) -> list[str]:
    """The ports on a zone that a power controls."""
    return [port for port in atlas(table).ports_on[zone] if is_own_port(table, port, target)]


def piracy(table: Table, power: str, zone: str, target: str) -> Procedure:
    """16.4: an act of piracy, its CP spent."""
    # 1: announced; the marker lies in the zone to the end of the turn
    marks.note(table, "turn", PIRACY_MARKERS, zone, why="piracy", section="16.4")
    table.tell("piracy", power=power, target=target, zone=zone, section="16.4")
    others = [other for other in table.board.powers if other != power]
    moment = Moment("piracy", power, {"zone": zone, "target": target})
    strength = table.board.count(zone, power, CORSAIR)
    answers = yield from response(
        table, moment, others, section="16.4", space=zone, target=target, strength=strength, action="piracy"
    )
    if "stop" in answers or rules(table).barred(table, power, "piracy"):
        table.tell("piracy_stopped", power=power, zone=zone, section="16.4")
        return
    # 2 and 3: the target's dice against the corsairs
    against = dice_against_piracy(table, power, zone, target)
    hits = thrown_hits(table, "piracy_defence", target, against, zone, "16.4")
    number = min(hits, table.board.count(zone, power, CORSAIR))
    if number:
        sink(table, power, zone, Force({power: {CORSAIR: number}}), "16.4")
        if not has_ships(table, zone, power):
            # Without ships a leader has nothing to stay with, as after a combat (16.2 step 10).
            sink(table, power, zone, Force({}, naval_leaders(table, zone, power)), "16.4")
    # 4: the dice of piracy
    if not table.board.count(zone, power, CORSAIR):
        table.tell("piracy_failed", power=power, zone=zone, section="16.4")
        return
    # 5: each hit brings something, as the target chooses
    hits = thrown_hits(table, "piracy", power, piracy_dice(table, power, zone, target), zone, "16.4")
    table.tell("piracy_hits", power=power, target=target, zone=zone, hits=hits, section="16.4")
    for follow in house(table).after_piracy:
        follow(table, zone, hits)
    yield from awards(table, power, zone, target, hits)


def helpers(table: Table, power: str, target: str) -> list[str]:
    """16.4 step 2: the target, and the other powers at war with the pirate.

    3.2: a power is a major one where nothing else is said; inactive minor ones only with option `piracy_helpers`.
    """
    among = table.board.powers if table.options.get("piracy_helpers", "all") == "major" else atlas(table).owners
    return [one for one in among if one == target or at_war(table.board, power, one)]


def dice_against_piracy(table: Table, power: str, zone: str, target: str) -> int:
    """16.4 step 2: squadrons of the target in the zone; squadrons and fortresses near it, its own and of helpers."""
    constants, helping = table.kit.constants, helpers(table, power, target)
    dice = constants["piracy_target_dice_in_zone"] * fleets_squadrons(table, zone, target)
    for place in positions_near(table, zone):
        number = sum(fleets_squadrons(table, place, one) for one in helping)
        dice += constants["piracy_target_dice_adjacent"] * number
    for port in atlas(table).ports_on[zone]:
        if is_guarding_fortress(table, port, helping):
            dice += constants["piracy_target_dice_fortress"]
    return dice


def fleets_squadrons(table: Table, place: str, commander: str) -> int:
    """How many squadrons act for a commander at a place; corsairs do not count."""
    return sum(kinds.get(SQUADRON, 0) for kinds in ships(table, place, commander).values())


def is_guarding_fortress(table: Table, space: str, helping: list[str]) -> bool:
    """16.4 step 2: a fortress (no key), calm, not besieged, held by one of these or by the Knights of St. John."""
    holder = controller(table, space)
    if holder is None or not is_guard(table, space):
        return False
    knights = holder == KNIGHTS or (holder in atlas(table).independents and KNIGHTS in land_owners(table, space))
    return knights or (major_of(table.board, holder) or holder) in helping


def piracy_dice(table: Table, power: str, zone: str, target: str) -> int:
    """16.4 step 4: one die for a lone corsair or a single port of the target, else two; a leader's piracy rating."""
    constants = table.kit.constants
    few = table.board.count(zone, power, CORSAIR) == 1 or len(target_ports(table, target, zone)) == 1
    dice = constants["piracy_dice_few" if few else "piracy_dice"]
    return dice + best_naval(table, naval_leaders(table, zone, power), "piracy")


class Prize(Order):
    """What one hit brings: VP, a card, or a squadron at a place (and whose, where several have some)."""

    line = "{kind} [OF {owner}] [AT {place}]"
    kind = Choice("vp", "card", "squadron")
    owner = AnyName("power", "minor", optional=True)
    place = Position(optional=True)


class Award(Order):
    """Give the pirate VP, a CARD, or a SQUADRON AT a place for each hit; for hits not named you are asked again."""

    line = "AWARD {prizes}"
    prizes = Many(Prize, most=20)

    def check(self, table: Table, question: Question) -> None:
        zone, hits = question.context["zone"], question.context["hits"]
        if len(self.prizes) > hits:
            raise Refused("too_many_prizes", "16.4", hits=hits)
        taken = {"vp": 0, "card": 0}
        lost: dict[tuple[str, str], int] = {}
        for prize in self.prizes:
            if prize.kind == "squadron":
                key = _prize_squadron(table, question.power, zone, prize)
                lost[key] = lost.get(key, 0) + 1
                if lost[key] > ships(table, key[0], question.power)[key[1]][SQUADRON]:
                    raise Refused("too_few_squadrons", "16.4", place=key[0])
            else:
                taken[prize.kind] += 1
        if taken["vp"] > vp_left(table):
            raise Refused("piracy_vp_full", "16.4", most=table.kit.constants["piracy_vp_limit"])
        if taken["card"] > len(hands.drawable(table, question.power)):
            raise Refused("too_few_cards_to_lose", "16.4", there=len(hands.drawable(table, question.power)))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for prize in possible_prizes(table, question.power, question.context["zone"]):
            yield cls(prizes=[prize])


def vp_left(table: Table) -> int:
    """16.4 step 5: how many VP piracy may still bring in this game."""
    return max(0, table.kit.constants["piracy_vp_limit"] - table.board.value("piracy_vp", OTTOMAN))


def prize_squadrons(table: Table, target: str, zone: str) -> list[tuple[str, str]]:
    """16.4 step 5 a: the places in or next to the zone where the target has squadrons, with their owners."""
    return [
        (place, owner)
        for place in (zone, *positions_near(table, zone))
        for owner, kinds in ships(table, place, target).items()
        if kinds.get(SQUADRON)
    ]


def _prize_squadron(table: Table, target: str, zone: str, prize: Prize) -> tuple[str, str]:
    fitting = [
        (place, owner)
        for place, owner in prize_squadrons(table, target, zone)
        if prize.place in (None, place) and prize.owner in (None, owner)
    ]
    if not fitting:
        raise Refused("no_such_squadron", "16.4", sea=zone)
    return fitting[0]


def possible_prizes(table: Table, target: str, zone: str) -> list[Prize]:
    """16.4 step 5: what the target may give for a hit now; nothing else benefits the pirate."""
    prizes = [Prize(kind="vp")] if vp_left(table) else []
    for place, owner in prize_squadrons(table, target, zone):
        prizes.append(Prize(kind="squadron", owner=owner, place=place))
    if hands.drawable(table, target):
        prizes.append(Prize(kind="card"))
    return prizes


def awards(table: Table, power: str, zone: str, target: str, hits: int) -> Procedure:
    """16.4 step 5: the target answers each hit; a hit that nothing can answer is void."""
    left = hits
    while left:
        if not possible_prizes(table, target, zone):
            table.tell("piracy_void", power=power, zone=zone, hits=left, section="16.4")
            return
        order = yield Ask(
            target,
            "piracy_award",
            [Award],
            lambda t, q: Award(prizes=[possible_prizes(t, q.power, q.context["zone"])[0]]),
            context={"zone": zone, "space": zone, "power": power, "hits": left, "action": "piracy"},
            section="16.4",
        )
        for prize in order.prizes:
            _give(table, power, zone, target, prize)
            left -= 1


def _give(table: Table, power: str, zone: str, target: str, prize: Prize) -> None:
    if prize.kind == "vp":
        table.count("piracy_vp", power, 1, why="piracy", section="16.4")
    elif prize.kind == "squadron":
        place, owner = _prize_squadron(table, target, zone, prize)
        sink(table, target, place, Force({owner: {SQUADRON: 1}}), "16.4")
        if not has_ships(table, place, target) and place in atlas(table).sea:
            sink(table, target, place, Force({}, naval_leaders(table, place, target)), "16.4")
    else:
        card = hands.random_card(table, target, power, "piracy", section="16.4")
        if card is not None:
            hands.set_aside(table, power, card, target, why="piracy", section="16.4")


# --- 19: winter ---


def remove_piracy_markers(table: Table) -> Procedure:
    """19.6: the piracy markers are removed."""
    marks.set_mark(table, "turn", PIRACY_MARKERS, None, why="winter", section="19.6")
    return
    yield


# --- invariants ---


def faults_at_sea(table: Table) -> list[Said]:
    """16.3: no formation stays at sea."""
    return [Said("land units are in %(place)s", place=zone) for zone in atlas(table).zones if land_owners(table, zone)]


ORDERS = (*naval.ORDERS, Award, *homeward.ORDERS)
ACTIONS = (Sail, Transport, Piracy)
