"""The response cards (6.1): 31 to 38. Those that break an action off are asked of the other powers only."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import commit, number
from pbem.games.here_i_stand.places import REMOVED
from pbem.games.here_i_stand.religion.conversion import PAPACY, PROTESTANT
from pbem.games.reformation import hands, marks
from pbem.games.reformation.battle import ATTACKER, DEFENDER, Battle, roll_more
from pbem.games.reformation.control import land_spaces_of_line
from pbem.games.reformation.hiring import (
    ANY_STACK,
    dismiss,
    hire,
    not_at_assault,
    why_no_dismissal,
    why_no_hire,
)
from pbem.games.reformation.movement import step_cost
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, HAPSBURG, FRANCE = "ottoman", "hapsburg", "france"

# --- 31, 32: what breaks off a move, an assault, a voyage ---


def announced_cp(table: Table, moment: Moment) -> int:
    """The CP that the active power spent on the action that is announced."""
    actions, power = table.kit.tables["actions"], moment.power
    if moment.name == "land_move":
        return step_cost(table, power, moment["origin"], moment["space"])
    if moment.name == "transport":
        return table.kit.constants["transport_cp_a_zone"]
    if moment.name == "assault":
        return 0 if marks.mark(table, "action", "free_assault") else actions["assault"][power]
    return actions["initiate_piracy" if moment.name == "piracy" else moment.name][power]


def break_off(table: Table, moment: Moment, card: int) -> None:
    """13.1, 15.1, 16: the action is broken off; 1 CP of it is lost, what it cost beyond that is not spent."""
    change = announced_cp(table, moment) - number(table, card, "cp_lost")
    table.set("cp_left", max(0, table.board.state.get("cp_left", 0) + change), why="broken_off")


@event("foul_weather", moments=("land_move", "assault", "naval_move", "transport", "piracy"))
def foul_weather(table: Table, power: str, moment: Moment) -> str:
    """31: the action is broken off and 1 CP lost; in the rest of the impulse units move a space at most.

    Assaults, piracy, naval moves and transports are barred for that time (`land.barred`, `movement.check_may_leave`).
    """
    marks.set_mark(table, "impulse", "foul_weather", True, section="13.1")
    break_off(table, moment, 31)
    return "stop"


@event("gout", moments=("land_move", "assault", "charles_moves"))
def gout(table: Table, power: str, moment: Moment) -> Procedure:
    """32: the action is broken off and 1 CP lost; an army leader of it neither moves nor assaults this impulse.

    His units may be ordered on without him. It stops Charles V's journey by card 2 too, for no CP (21.2).
    """
    leader = yield from choose(
        table, power, "leader", lambda t: _leaders_going(t, moment), kind="event_choice", section="13.1", number=32
    )
    marks.note(table, "impulse", "gout", leader, section="13.1")
    if moment.name != "charles_moves":
        break_off(table, moment, 32)
    return "stop"


@playable("gout")
def _gout(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _leaders_going(table, moment) else Refused("no_leader_goes")


def _leaders_going(table: Table, moment: Moment) -> list[str]:
    """The army leaders of the action that is announced."""
    if moment.name == "charles_moves":
        return [moment["leader"]]
    force = moment["battle"].force if moment.name == "assault" else moment["force"]
    return list(force.leaders)


# --- 33, 36: mercenaries for a stack ---


@event("landsknechts", moments=ANY_STACK)
def landsknechts(table: Table, power: str, moment: Moment) -> Procedure:
    """33: 2 new mercenaries join own stacks, 4 for the Hapsburg; the Ottoman removes 2 mercenaries anywhere."""
    if power == OTTOMAN:
        yield from dismiss(table, power, number(table, 33, "removed_by_ottoman"), 33)
        return
    many = number(table, 33, "mercenaries_hapsburg" if power == HAPSBURG else "mercenaries")
    yield from hire(table, power, many, 33)


@playable("landsknechts")
def _landsknechts(table: Table, power: str, moment: Moment) -> Refused | None:
    if power == OTTOMAN:
        return not_at_assault(power, moment) or why_no_dismissal(table)
    return not_at_assault(power, moment) or why_no_hire(table, power)


@event("swiss_mercenaries", moments=ANY_STACK)
def swiss_mercenaries(table: Table, power: str, moment: Moment) -> Procedure:
    """36: played by France or the Ottoman, France places 4 new mercenaries; another power 2 of its own."""
    french = power in (FRANCE, OTTOMAN)
    many = number(table, 36, "mercenaries_french" if french else "mercenaries")
    yield from hire(table, FRANCE if french else power, many, 36)


@playable("swiss_mercenaries")
def _swiss_mercenaries(table: Table, power: str, moment: Moment) -> Refused | None:
    owner = FRANCE if power in (FRANCE, OTTOMAN) else power
    return not_at_assault(power, moment) or why_no_hire(table, owner)


# --- 34, 35: after the dice ---


@event("professional_rowers", moments=("naval_roll", "naval_combat_rolled"))
def professional_rowers(table: Table, power: str, moment: Moment) -> Procedure:
    """34: +2 or -2 on a naval interception or avoiding roll just made; or 3 more dice for a side of a naval combat."""
    if moment.name == "naval_roll":
        way = yield from choose(
            table, power, "option", lambda t: ["more", "less"], kind="after_dice", section="16.1", number=34
        )
        change = number(table, 34, "roll_modifier")
        return change if way == "more" else -change
    battle: Battle = moment["battle"]
    side = yield from choose(
        table, power, "option", lambda t: [ATTACKER, DEFENDER], kind="after_dice", section="16.2", number=34
    )
    roll_more(
        table, battle, side, number(table, 34, "dice"), table.kit.constants["hit_on"], "professional_rowers", "16.2"
    )
    return None


@event("siege_artillery", moments=("assault_rolled",))
def siege_artillery(table: Table, power: str, moment: Moment) -> None:
    """35: the attacker throws 2 more dice, hits from 3 (15.1 step 8)."""
    roll_more(
        table,
        moment["battle"],
        ATTACKER,
        number(table, 35, "dice"),
        number(table, 35, "hit_on"),
        "siege_artillery",
        "15.1",
    )


@playable("siege_artillery")
def _siege_artillery(table: Table, power: str, moment: Moment) -> Refused | None:
    battle: Battle = moment["battle"]
    length = land_spaces_of_line(table, battle.attacker.power, battle.space)
    most = number(table, 35, "line_spaces")
    if length is None or length > most:
        return Refused("artillery_too_far", most=most)
    return None


# --- 37: The Wartburg ---


@event("the_wartburg", moments=("event_declared",))
def the_wartburg(table: Table, power: str, moment: Moment) -> str:
    """37: an event that was declared is cancelled, its card discarded, that impulse over.

    Luther is committed; to the end of the turn the Protestant starts no debates and card 7 brings Luther into none.
    """
    commit(table, "luther", why="card", section="6.1")
    marks.set_mark(table, "turn", "wartburg", True, section="6.1")
    return "cancel"


@playable("the_wartburg")
def _the_wartburg(table: Table, power: str, moment: Moment) -> Refused | None:
    row = hands.row(table, moment["card"])
    if power != PROTESTANT or power == moment.power:
        return Refused("wartburg_for_protestant")
    if table.board.pieces["debater:luther"]["at"] == REMOVED:
        return Refused("luther_dead")
    if row["kind"] in ("mandatory", "combat", "response"):
        return Refused("kind_not_cancelled")
    if row["kind"] == "home" and row["owner"] != PAPACY:
        return Refused("home_card_not_cancelled")
    return None


# --- 38: Halley's Comet ---


@event("halleys_comet", moments=("impulse", "any_time"))
def halleys_comet(table: Table, power: str, moment: Moment) -> Procedure:
    """38: a random card of another power is discarded, or a power skips its next impulse, which is no pass."""

    def ways(table: Table) -> list[str]:
        return [way for way, whom in (("discard", _with_cards), ("skip", _not_skipping)) if whom(table, power)]

    way = yield from choose(table, power, "option", ways, kind="event_choice", section="6.1", number=38)
    among = _with_cards if way == "discard" else _not_skipping
    target = yield from choose(
        table, power, "power", lambda t: among(t, power), kind="event_choice", section="6.1", number=38, way=way
    )
    if way == "discard":
        hands.random_card(table, target, None, "halleys_comet", section="6.1")
    else:
        table.tell("will_skip", power=target, section="6.1")
        marks.note(table, "turn", "skips_impulse", target, section="6.1")


def _with_cards(table: Table, power: str) -> Sequence[str]:
    """The other powers with a card that a random draw may take."""
    return [other for other in table.board.powers if other != power and hands.drawable(table, other)]


def _not_skipping(table: Table, power: str) -> Sequence[str]:
    """The powers that do not skip their next impulse yet; the player of the card stands last."""
    going = [one for one in table.board.powers if not marks.noted(table, "turn", "skips_impulse", one)]
    return sorted(going, key=lambda one: one == power)
