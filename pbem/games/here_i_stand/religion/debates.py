"""18.5: theological debates. The action that calls one is in `actions`; cards call `debate` themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pbem.games.here_i_stand.cards.common import bonus_vp, commit
from pbem.games.here_i_stand.places import REMOVED
from pbem.games.here_i_stand.religion.conversion import CATHOLIC, PAPACY, PROTESTANT, convert, eligible_spaces, zone_of
from pbem.games.reformation import marks
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Moment, Pass, Respond, able, choose, confirm
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

COMMITTED, UNCOMMITTED = "committed", "uncommitted"
LUTHER, BULLINGER, CAMPEGGIO = "luther", "bullinger", "campeggio"
AUGSBURG_CARD = 39


@dataclass
class Debate:
    """A debate that goes on. Cards played in it may change `debaters` (by `replace_by_luther`)."""

    initiator: str
    zone: str
    was_committed: list[str]
    """The debaters committed before the debate: they defend with one die less (step 5)."""
    extra_dice: int = 0
    excluded: str | None = None
    round: int = 1
    debaters: dict[str, str] = field(default_factory=dict)
    """Power -> the current debater."""

    @property
    def defender(self) -> str:
        """The power that defends."""
        return other(self.initiator)


def other(power: str) -> str:
    """The opponent in debates."""
    return PAPACY if power == PROTESTANT else PROTESTANT


def side_of(power: str) -> str:
    """The side of a power in debates."""
    return PROTESTANT if power == PROTESTANT else CATHOLIC


# --- who may debate where ---


def zones(table: Table) -> list[str]:
    """18.1: the three zones that know debates: those that have debaters."""
    known = {row["language"] for row in table.kit.tables["debaters"].values()}
    return [language for language in table.kit.tables["languages"] if language in known]


def in_play(table: Table, power: str, zone: str) -> list[str]:
    """The debaters of a power that may take part in a zone: the Protestant's of the zone, all of the Papacy's."""
    return [
        debater
        for debater, row in table.kit.tables["debaters"].items()
        if row["power"] == power and table.board.pieces[f"debater:{debater}"]["at"] in (zone, "any")
    ]


def is_committed(table: Table, debater: str) -> bool:
    """Whether a debater is committed."""
    return bool(table.board.pieces[f"debater:{debater}"]["committed"])


def pool(table: Table, power: str, zone: str, committed: bool, but: str | None = None) -> list[str]:
    """The debaters of a power for a zone that are committed, or that are not; without an excluded one."""
    return [one for one in in_play(table, power, zone) if is_committed(table, one) == committed and one != but]


def why_not(table: Table, power: str, zone: str, excluded: str | None = None) -> Refused | None:
    """18.1: why a power cannot start a debate in a zone; None when it can."""
    if zone not in zones(table):
        return Refused("no_debates_in_zone", zone=zone)
    if power == PROTESTANT and marks.mark(table, "turn", "wartburg"):
        return Refused("no_debate_after_wartburg")
    if not [one for one in in_play(table, PROTESTANT, zone) if one != excluded]:
        return Refused("no_protestant_debater", zone=zone)
    if not pool(table, power, zone, committed=False):
        return Refused("all_debaters_committed", zone=zone if power == PROTESTANT else None)
    if not in_play(table, other(power), zone):
        return Refused("no_papal_debater")
    return None


def zones_for(table: Table, power: str) -> list[str]:
    """The zones in which a power could start a debate now."""
    return [zone for zone in zones(table) if why_not(table, power, zone) is None]


# --- the procedure ---


def debate(
    table: Table,
    initiator: str,
    zone: str | None = None,
    *,
    attacker: str | None = None,
    excluded: str | None = None,
    extra_dice: int = 0,
) -> Procedure:
    """18.5: a theological debate, steps 1 to 9.

    `zone`: None lets the initiator choose; `attacker`: the own debater that Leipzig Debate names; `excluded`: the
    Protestant debater that it bars from both rounds; `extra_dice`: of Papal Inquisition. Nothing happens where no
    debate can be held. Value: the power that won, or None.
    """
    if zone is None:
        zone = yield from choose(
            table, initiator, "language", lambda t: zones_for(t, initiator), kind="debate", section="18.5"
        )
    if zone is None or why_not(table, initiator, zone, excluded):
        table.tell("debate_impossible", power=initiator, zone=zone, section="18.1")
        return None
    before = [one for one in table.kit.tables["debaters"] if is_committed(table, one)]
    current = Debate(initiator, zone, before, extra_dice, excluded)
    table.tell("debate", power=initiator, zone=zone, section="18.5")
    while True:
        yield from _choose_debaters(table, current, attacker)
        yield from _luther_may_enter(table, current)
        hits = _throw(table, current)
        if hits[PROTESTANT] != hits[PAPACY]:
            return (yield from _decide(table, current, hits))
        table.tell("debate_tied", zone=zone, round=current.round, hits=hits[PROTESTANT], section="18.5")
        if current.round >= table.kit.constants["debate_rounds"]:
            return None
        current.round += 1
        attacker = None


def _choose_debaters(table: Table, current: Debate, attacker: str | None) -> Procedure:
    """Steps 2 and 3; in the second round step 7: both anew, first from the uncommitted."""
    defender = current.defender
    if current.round > 1:
        for power in (current.initiator, defender):
            yield from _second_debater(table, current, power)
        return
    free = pool(table, current.initiator, current.zone, committed=False)
    named = attacker if attacker in free else _draw(table, current.initiator, free)
    _seat(table, current, current.initiator, named)

    def pools(table: Table) -> Sequence[str]:
        return [
            name
            for name in (UNCOMMITTED, COMMITTED)
            if pool(table, defender, current.zone, name == COMMITTED, current.excluded)
        ]

    which = yield from choose(
        table,
        current.initiator,
        "option",
        pools,
        kind="debate",
        section="18.5",
        zone=current.zone,
        debater=current.debaters[current.initiator],
    )
    among = pool(table, defender, current.zone, which == COMMITTED, current.excluded)
    _seat(table, current, defender, _draw(table, defender, among))


def _second_debater(table: Table, current: Debate, power: str) -> Procedure:
    """Step 7: the second round's debater of a power; Bullinger may step in for the Protestant, in any zone."""
    if power == PROTESTANT and _bullinger_can(table, current):
        enters = yield from confirm(
            table, power, "debate", section="18.5", debater=BULLINGER, zone=current.zone, round=current.round
        )
        if enters:
            table.tell("debater_bonus", power=power, debater=BULLINGER, section="18.5")
            _seat(table, current, power, BULLINGER)
            return
    among = pool(table, power, current.zone, False, current.excluded)
    among = among or pool(table, power, current.zone, True, current.excluded)
    _seat(table, current, power, _draw(table, power, among))


def _bullinger_can(table: Table, current: Debate) -> bool:
    piece = table.board.pieces[f"debater:{BULLINGER}"]
    own_zone = table.kit.tables["debaters"][BULLINGER]["language"]
    return piece["at"] == own_zone and not piece["committed"] and current.excluded != BULLINGER


def _draw(table: Table, power: str, among: list[str]) -> str:
    """A debater by chance; nothing is thrown for the only one."""
    if len(among) == 1:
        return among[0]
    return table.pick("debater", among, power=power, section="18.5")


def _seat(table: Table, current: Debate, power: str, debater: str) -> None:
    current.debaters[power] = debater
    table.tell("debater_chosen", power=power, debater=debater, round=current.round, section="18.5")


# --- Here I Stand (card 7) ---


def luther_can_enter(table: Table, current: Debate) -> bool:
    """18.5, 21.5: whether Luther may replace the Protestant's debater: in the German zone, while he lives.

    That he is committed, excommunicated or excluded does not matter. After The Wartburg he cannot (card 37).
    """
    return (
        current.zone == table.kit.tables["debaters"][LUTHER]["language"]
        and current.debaters.get(PROTESTANT) not in (None, LUTHER)
        and table.board.pieces[f"debater:{LUTHER}"]["at"] != REMOVED
        and not marks.mark(table, "turn", "wartburg")
    )


def replace_by_luther(table: Table, current: Debate) -> None:
    """18.5 steps 3 and 6: Luther takes the place of the Protestant's debater, who becomes committed.

    For card 7 at the moment ``debate``; the card that the Protestant draws is the card's own part.
    """
    replaced = current.debaters[PROTESTANT]
    commit(table, replaced, why="debate", section="18.5")
    table.tell("debater_replaced", power=PROTESTANT, debater=LUTHER, replaced=replaced, section="18.5")
    current.debaters[PROTESTANT] = LUTHER


def _luther_may_enter(table: Table, current: Debate) -> Procedure:
    """The window of Here I Stand. All see who holds a home card, so only one who could play it is asked, and once."""
    moment = Moment("debate", current.initiator, {"debate": current})
    if not able(table, PROTESTANT, moment):
        return
    answer = yield Ask(
        PROTESTANT,
        "response",
        [Respond, Pass],
        Pass(),
        context={
            "moment": moment.name,
            "power": moment.power,
            "zone": current.zone,
            "round": current.round,
            "debaters": dict(current.debaters),
        },
        section="18.5",
        moment=moment,
    )
    if isinstance(answer, Respond):
        yield from rules(table).play_card(table, PROTESTANT, answer.card, moment)


# --- dice ---


def attack_dice(table: Table, current: Debate) -> dict[str, int]:
    """Step 4: the initiator's dice, by where they come from."""
    constants = table.kit.constants
    power, debater = current.initiator, current.debaters[current.initiator]
    row = table.kit.tables["debaters"][debater]
    dice = {"value": row["value"], "attacker": constants["debate_attack_dice"]}
    if power == PAPACY:
        if current.zone == "english" and table.board.state["ruler"]["england"] == "mary_i":
            dice["mary"] = row["value"] * (constants["debate_mary_factor"] - 1)
        if marks.mark(table, "turn", "augsburg_confession"):
            dice["augsburg_confession"] = -table.kit.tables["card_numbers"][f"{AUGSBURG_CARD}:debate_dice"]["value"]
    in_time = current.round == 1 or table.options["attack_bonus_in_second_round"]
    if debater in constants["debate_attack_bonus"] and row["bonus_language"] in ("", current.zone) and in_time:
        dice["debater"] = row["bonus_number"]
    if current.extra_dice:
        dice["papal_inquisition"] = current.extra_dice
    return dice


def defence_dice(table: Table, current: Debate) -> dict[str, int]:
    """Step 5: the defender's dice; what counts is whether he was committed before the debate."""
    constants = table.kit.constants
    debater = current.debaters[current.defender]
    before = debater in current.was_committed
    more = constants["debate_defence_committed" if before else "debate_defence_uncommitted"]
    return {"value": table.kit.tables["debaters"][debater]["value"], COMMITTED if before else UNCOMMITTED: more}


def _throw(table: Table, current: Debate) -> dict[str, int]:
    """Steps 4 to 6: both throw, both are committed. Value: the hits by power."""
    hits = {}
    for power, dice in (
        (current.initiator, attack_dice(table, current)),
        (current.defender, defence_dice(table, current)),
    ):
        rolled = table.roll(
            "debate",
            power,
            max(0, sum(dice.values())),
            sources=dice,
            debater=current.debaters[power],
            round=current.round,
            section="18.5",
        )
        hits[power] = sum(1 for die in rolled if die >= table.kit.constants["hit_on"])
    for power in (current.initiator, current.defender):
        commit(table, current.debaters[power], why="debate", section="18.5")
    return hits


# --- the outcome ---


def _decide(table: Table, current: Debate, hits: dict[str, int]) -> Procedure:
    """Steps 7 to 9: spaces turn, then a debater may burn or be disgraced. Value: the winner."""
    winner = PROTESTANT if hits[PROTESTANT] > hits[PAPACY] else PAPACY
    loser = other(winner)
    margin = hits[winner] - hits[loser]
    table.tell(
        "debate_won", power=winner, zone=current.zone, hits=dict(hits), margin=margin, round=current.round,
        debaters=dict(current.debaters), section="18.5",
    )  # fmt: skip
    if winner == PROTESTANT and current.debaters[PAPACY] == CAMPEGGIO:
        rolled = table.roll(CAMPEGGIO, PAPACY, 1, section="18.5")
        if rolled[0] >= table.kit.constants["campeggio_ignores_on"]:
            table.tell("debate_ignored", power=PAPACY, debater=CAMPEGGIO, section="18.5")
            return None
    flips = margin + table.kit.constants["debate_more_flips"].get(current.debaters[PAPACY], 0)
    yield from turn_spaces(table, winner, flips, current.zone)
    lost = current.debaters[loser]
    if margin > table.kit.tables["debaters"][lost]["value"]:
        leave_for_ever(table, lost, winner)
    return winner


def turn_spaces(table: Table, power: str, number: int, zone: str | None = None, section: str = "18.5") -> Procedure:
    """18.5 step 7: a power turns so many spaces to its side, each eligible when its turn comes.

    While any is eligible in the zone the choice is among those, after that anywhere. Without a zone: anywhere (Council
    of Trent). Value: the spaces turned.
    """
    side = side_of(power)

    def open_spaces(table: Table) -> Sequence[str]:
        spaces = eligible_spaces(table, side)
        return [space for space in spaces if zone is not None and zone_of(table, space) == zone] or spaces

    turned = []
    for left in range(number, 0, -1):
        space = yield from choose(
            table, power, "space", open_spaces, kind="flip_spaces", section=section, zone=zone, left=left
        )
        if space is None:
            break
        convert(table, space, side, why="debate", section=section)
        turned.append(space)
    return turned


def leave_for_ever(table: Table, debater: str, winner: str) -> None:
    """Steps 8 and 9: a Protestant is burned, a Papal debater disgraced; VP as his value to the winner (23.2).

    The reformer of the same name leaves the map; the ruler Luther or Calvin stays.
    """
    row = table.kit.tables["debaters"][debater]
    what = "burned" if winner == PAPACY else "disgraced"
    table.tell(what, power=winner, debater=debater, vp=row["value"], section="18.5")
    table.put(f"debater:{debater}", REMOVED, why=what, section="18.5", committed=True, taken_by=winner)
    if row["reformer"]:
        table.put(f"reformer:{row['reformer']}", REMOVED, why=what, section="18.5", entered=True)
    bonus_vp(table, winner, row["value"], why=what, section="18.5")


def council_of_trent(table: Table) -> Procedure:
    """17, 18.2: the Papacy, then the Protestant name uncommitted debaters of any zones; all become committed.

    Both throw dice as their values (Pole adds one); the side with more hits turns as many spaces as the difference.
    """
    hits = {}
    chosen: dict[str, list[str]] = {PAPACY: [], PROTESTANT: []}
    numbers = table.kit.tables["card_numbers"]
    for power, most in (
        (PAPACY, numbers["17:papal_debaters"]["value"]),
        (PROTESTANT, numbers["17:protestant_debaters"]["value"]),
    ):
        for left in range(most, 0, -1):
            debater = yield from choose(
                table,
                power,
                "debater",
                partial(_for_council, power=power),
                optional=True,
                section="18.2",
                number=17,
                left=left,
            )
            if debater is None:
                break
            commit(table, debater, why="council_of_trent", section="18.2")
            chosen[power].append(debater)
    for power in (PAPACY, PROTESTANT):
        dice = council_dice(table, chosen[power])
        rolled = table.roll("council_of_trent", power, sum(dice.values()), sources=dice, section="18.2") if dice else []
        hits[power] = sum(1 for die in rolled if die >= table.kit.constants["hit_on"])
    if hits[PAPACY] == hits[PROTESTANT]:
        table.tell("council_tied", hits=hits[PAPACY], section="18.2")
        return
    winner = PAPACY if hits[PAPACY] > hits[PROTESTANT] else PROTESTANT
    margin = hits[winner] - hits[other(winner)]
    table.tell("council_won", power=winner, hits=dict(hits), margin=margin, section="18.2")
    yield from turn_spaces(table, winner, margin, section="18.2")


def _for_council(table: Table, power: str) -> list[str]:
    everywhere = (*table.kit.tables["languages"], "any")
    return [
        debater
        for debater, row in table.kit.tables["debaters"].items()
        if row["power"] == power
        and table.board.pieces[f"debater:{debater}"]["at"] in everywhere
        and not is_committed(table, debater)
    ]


def council_dice(table: Table, debaters: list[str]) -> dict[str, int]:
    """18.2: the dice of one side at the council, debater by debater; a bonus for the council adds to his own."""
    rows: dict[str, Any] = table.kit.tables["debaters"]
    return {
        one: rows[one]["value"] + (rows[one]["bonus_number"] if rows[one]["bonus"] == "council_of_trent" else 0)
        for one in debaters
    }


ORDERS = ()
ACTIONS = ()
