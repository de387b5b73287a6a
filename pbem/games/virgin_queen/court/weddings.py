"""21: phase 6; betrothals (9.1), jilting (23.3), what a wedding brings.

Where the Royals are is told in `royals`. State: ``isabella`` the power of Isabella's husband (22), ``rudolf_married``
true, ``prague_centre`` (`patronage`). The mark ``turn:spared`` lists the powers that may spare a Royal from ageing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from pbem.games.reformation import construction
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER
from pbem.games.reformation.ground import home_spaces
from pbem.games.reformation.marks import note, noted
from pbem.games.reformation.relations import at_war
from pbem.games.virgin_queen.court import queens, royals
from pbem.games.virgin_queen.court.queens import ELIZABETH, MARY
from pbem.games.virgin_queen.court.results import result
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.places import ELIGIBLE, REMOVED
from pbem.games.virgin_queen.powers import majors, minors
from pbem.games.virgin_queen.powers.majors import ENGLAND, FRANCE, PROTESTANT
from pbem.games.virgin_queen.religion import conversion as faith
from pbem.games.virgin_queen.victory import score
from pbem.games.virgin_queen.war import land
from pbem.table.asking import choose, confirm
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "21.1"
SPARED = "spared"


def happens(table: Table) -> bool:
    """Every turn has this phase."""
    return True


# --- 9.1: betrothals ---


def check_betrothal(
    table: Table, man: str, woman: str, *, peace: bool = False, couples: int = 1, payer: str | None = None
) -> None:
    """9.1: raise `Refused` unless the two Royals may be betrothed now; `peace`: no war stands in their way, or one that
    is ended with this deal; `couples`: how many of this deal are of the same two powers; `payer`: see `who_pays`."""
    rows = table.kit.tables["royals"]
    if rows[man]["sex"] != "m" or rows[woman]["sex"] != "f":
        raise Refused("man_and_woman", "9.1", man=man, woman=woman)
    if woman == MARY and queens.is_captured(table):
        raise Refused("mary_is_captured", "23.3", royal=woman)
    for one in (man, woman):
        if not royals.is_eligible(table, one):
            raise Refused("royal_not_eligible", "9.1", royal=one)
        other = royals.betrothed(table, one)
        if other:
            raise Refused("royal_betrothed", "9.1", royal=one, other=other)
        leader = rows[one]["army_leader"]
        if leader and table.board.pieces[LEADER + leader]["at"].startswith("captured:"):
            raise Refused("royal_captured", "9.1", royal=one)
    if rows[man]["family"] and rows[man]["family"] == rows[woman]["family"]:
        raise Refused("same_family", "9.1", man=man, woman=woman)
    two = [rows[man]["power"], rows[woman]["power"]]
    if not peace and at_war(table.board, *two):
        raise Refused("royals_at_war", "9.1", power=two[0], other=two[1])
    _check_without_seat(table, two, couples, payer)


def who_pays(table: Table, two: Sequence[str], payer: str | None = None) -> str | None:
    """3.1: who pays with influence for a Royal of a power without a seat: the power of the other Royal, or the `payer`
    that takes it upon itself (rebuilt); None where nothing is paid, or nobody could."""
    if all(power in table.board.seated() for power in two):
        return None
    return payer or next((power for power in two if power in table.board.seated()), None)


def _check_without_seat(table: Table, two: list[str], couples: int, payer: str | None) -> None:
    """3.1: a Royal of the Empire without a seat costs influence on it; so many of them so often."""
    absent = [power for power in two if power not in table.board.seated()]
    if payer is not None and (not absent or payer not in table.board.seated()):
        raise Refused("nothing_to_pay_for", "9.1", power=payer)
    if not absent:
        return
    pays = who_pays(table, two, payer)
    cost = table.kit.constants["influence_for_royal"] * couples
    if pays and minors.influence_on(table, absent[0], pays) >= cost:
        return
    if couples > 1:
        raise Refused("influence_for_royals", "9.1", power=absent[0], number=cost, wanted=couples)
    raise Refused("influence_for_royal", "9.1", power=absent[0], number=cost)


def parties(table: Table, man: str, woman: str, payer: str | None = None) -> list[str]:
    """9.1: the powers that a betrothal binds, those with a seat, and who pays; one within a power needs no other."""
    bound = {royals.of_power(table, man), royals.of_power(table, woman), payer}
    return [power for power in table.board.seated() if power in bound]


def betroth(table: Table, man: str, woman: str, payer: str | None = None) -> Procedure:
    """9.1: the two are betrothed; a wedding of Mary is evaluated at once. `payer`: see `who_pays`."""
    table.tell("betrothed", man=man, woman=woman, section="9.1")
    two = [royals.of_power(table, man), royals.of_power(table, woman)]
    power = who_pays(table, two, payer)
    absent = next((one for one in two if one not in table.board.seated()), None)
    if power is not None and absent is not None:
        left = minors.influence_on(table, absent, power) - table.kit.constants["influence_for_royal"]
        minors.set_influence(table, absent, power, left, why="betrothed", section="9.1")
    royals.betroth(table, man, woman, "9.1")
    if woman == MARY:
        yield from evaluate(table, man, woman)


def french_couples(table: Table) -> list[tuple[str, str]]:
    """GOUVERNANTE DE FRANCE: the couples with a French Royal, to which the Wedding Festivities may be added."""
    return [pair for pair in royals.couples(table) if FRANCE in (royals.of_power(table, one) for one in pair)]


def add_festivities(table: Table, couple: tuple[str, str], section: str = SECTION) -> None:
    """21.1: the marker Wedding Festivities lies with a couple, for 2 more on the die of its French Royal."""
    royal = next(one for one in couple if royals.of_power(table, one) == FRANCE)
    table.tell("festivities", power=FRANCE, man=couple[0], woman=couple[1], section=section)
    table.mark(royals.piece_of(royal), why="festivities", section=section, festivities=True)


# --- 23.3: jilting ---


def why_not_jilt(table: Table) -> Refused | None:
    """23.3: why Elizabeth jilts nobody now, or None: she is alive and betrothed (since this turn: GB-22), in the
    Actions phase."""
    if not queens.elizabeth_lives(table) or royals.betrothed(table, ELIZABETH) is None:
        return Refused("elizabeth_not_betrothed", "23.3")
    of_this_turn = any(ELIZABETH in pair for pair in royals.couples(table))
    if table.options["jilting_time"] == "turn_of_betrothal" and not of_this_turn:
        return Refused("betrothed_earlier", "23.3")
    if table.board.state["phase"] != "action":
        return Refused("jilts_in_actions", "23.3")
    return None


def jilt(table: Table) -> Procedure:
    """23.3: Elizabeth leaves her suitor: both are unmarried again; his power rolls for what it gets, England too for a
    suitor of its own (option `own_suitor`, GB-71)."""
    suitor = royals.betrothed(table, ELIZABETH)
    assert suitor is not None
    power = royals.of_power(table, suitor)
    table.tell("jilted", power=ENGLAND, royal=suitor, target=power, section="23.3")
    royals.end_betrothal(table, ELIZABETH, "jilted", "23.3")
    if power not in table.board.powers or (power == ENGLAND and table.options["own_suitor"] == "nothing"):
        return
    die = sum(table.roll("jilted", power, 1, royal=suitor, section="23.3"))
    outcome = result(table, "jilted_by_elizabeth", die)
    table.tell("jilted_result", power=power, result=list(outcome), cp=outcome.get("cp", 0), section="23.3")
    if "random_card" in outcome:
        treasures.random_from_hand(table, ENGLAND, power, "jilted", section="23.3")
    for left in range(outcome.get("cp", 0), 0, -1):
        yield from _compensation(table, power, left)


INFLUENCE, MERCENARIES = "influence", "mercenaries"


def _compensation(table: Table, power: str, left: int) -> Procedure:
    """23.3: one CP of the compensation: influence, or a mercenary where the power could build one."""
    ways: Mapping[str, Callable[[Table], list[str]]] = {
        INFLUENCE: lambda t: open_minors(t, power),
        MERCENARIES: lambda t: mercenary_spaces(t, power),
    }
    chosen = yield from choose(
        table,
        power,
        "option",
        lambda t: [way for way, places in ways.items() if places(t)],
        kind="wedding",
        section="23.3",
        action="compensation",
        left=left,
    )
    if chosen is None:
        return
    what = "minor" if chosen == INFLUENCE else "space"
    where = yield from choose(
        table, power, what, ways[chosen], kind="wedding", section="23.3", action=chosen, left=left
    )
    if where is None:
        return
    if chosen == INFLUENCE:
        add_influence(table, power, where, 1, "23.3")
    else:
        owner = land.owner_of_new(table, power, "mercenary", where)
        table.place(owner, "mercenary", where, 1, why="jilted", section="23.3")


def mercenary_spaces(table: Table, power: str) -> list[str]:
    """17.2: the spaces where a power could build a mercenary now, in the order of the kit."""
    if table.kit.tables["actions"]["build_mercenary"][power] is None:
        return []
    spaces = []
    for space in home_spaces(table, power):
        owner = land.owner_of_new(table, power, "mercenary", space)
        try:
            construction.check_build(table, power, owner, "mercenary", space)
        except Refused:
            continue
        spaces.append(space)
    return spaces


def open_minors(table: Table, power: str) -> list[str]:
    """24.5: the powers that one may add influence on: on their chart, not evaluated in this turn, not at the end."""
    most = table.kit.constants["influence_most"]
    return [
        minor
        for minor in table.board.state.get("influence", {})
        if minor in atlas(table).minors
        and power in minors.chart_of(table, minor)
        and not minors.was_evaluated(table, minor)
        and minors.influence_on(table, minor, power) < most
    ]


def add_influence(table: Table, power: str, minor: str, boxes: int, section: str) -> None:
    """24.5: a power gets influence on a minor power for nothing, up to the end of the track; nothing where it is not
    on its chart, or that was evaluated in this turn."""
    if minor in open_minors(table, power):
        there = minors.influence_on(table, minor, power)
        minors.set_influence(table, minor, power, there + boxes, why="influence", section=section)


# --- 21.1: weddings ---


def weddings(table: Table) -> Procedure:
    """21.1: each couple betrothed in this turn, in the order in which they were."""
    while True:
        couples = royals.couples(table)
        if not couples:
            return
        yield from evaluate(table, *couples[0])


def evaluate(table: Table, man: str, woman: str) -> Procedure:
    """21.1: the dice of both sides with their eligibility, rerolls, the table; who leaves; what each Royal brings."""
    total = yield from _total(table, man, woman)
    outcome = result(table, "royal_wedding", total)
    table.tell("wedding", man=man, woman=woman, total=total, result=list(outcome), section=SECTION)
    if "cancelled" in outcome:
        royals.end_betrothal(table, man, "cancelled", SECTION)
        return
    two = list(dict.fromkeys((royals.of_power(table, man), royals.of_power(table, woman))))
    for power in majors.all_powers(table):
        if power in two:
            if "vp" in outcome:
                score.award(table, power, "wedding", outcome["vp"], section=SECTION)
            majors.card_marker(table, power, outcome.get("card", 0), why="wedding", section=SECTION)
    points = outcome.get("vp", 0) if PROTESTANT in two else 0
    for one in (man, woman):
        _leaves_unmarried(table, one, points)
    if "wife_dies" in outcome:
        if woman == MARY:
            queens.mary_dies(table, SECTION)
        elif woman == ELIZABETH:
            queens.elizabeth_dies(table, "wife_dies", SECTION)
    if "husband_murdered" in outcome:
        queens.royal_dies(table, man, "husband_murdered", SECTION)
    for one, other in ((man, woman), (woman, man)):
        yield from _bonus(table, one, other)


def _total(table: Table, man: str, woman: str) -> Procedure:
    """21.1: what both sides throw and add. Within one power the higher eligibility counts alone, and by option
    `wedding_within_a_power` one die is thrown. Value: the total."""
    couple = (man, woman)
    same = royals.of_power(table, man) == royals.of_power(table, woman)
    boxes = [royals.box(table, one) for one in couple]
    added = max(boxes) if same else sum(boxes)
    if any(table.board.pieces[royals.piece_of(one)].get("festivities") for one in couple):
        added += table.kit.constants["festivities"]
    rolling = [man] if same and table.options["wedding_within_a_power"] == "one_die" else list(couple)
    dice = {one: _throw(table, one) for one in rolling}
    effects = {royals.row(table, one)["effect"]: one for one in couple}
    if "reroll_larger" in effects:
        one = _die_of(dice, effects["reroll_larger"], max(dice.values()))
        dice[one] = _throw(table, one, again=True)
    if "reroll_smaller" in effects:
        owner = royals.of_power(table, effects["reroll_smaller"])
        asked = owner if owner in table.board.seated() else _other_power(table, couple, owner)
        again = asked is not None and (
            yield from confirm(
                table, asked, "wedding_reroll", section=SECTION, man=man, woman=woman, dice=list(dice.values())
            )
        )
        if again:
            one = _die_of(dice, effects["reroll_smaller"], min(dice.values()))
            dice[one] = _throw(table, one, again=True)
    return sum(dice.values()) + added


def _throw(table: Table, royal: str, **more: bool) -> int:
    return sum(table.roll("wedding", royals.of_power(table, royal), 1, royal=royal, section=SECTION, **more))


def _die_of(dice: Mapping[str, int], royal: str, number: int) -> str:
    """Whose die shows a number: that of the Royal whose bonus it is where both do."""
    return royal if dice.get(royal) == number else next(one for one, die in dice.items() if die == number)


def _other_power(table: Table, couple: tuple[str, str], power: str) -> str | None:
    return next((other for other in parties(table, *couple) if other != power), None)


def _leaves_unmarried(table: Table, royal: str, points: int) -> None:
    """21.1: both are out of the game; a Valois lies on France's card for 1 VP; William of Orange comes back next turn
    unless the Protestant got VP."""
    piece = royals.piece_of(royal)
    if royals.is_valois(table, royal):
        to_france(table, royal, SECTION)
    elif royals.row(table, royal)["effect"] == "returns" and not points:
        table.put(piece, f"turn_track:{table.board.state['turn'] + 1}", why="married", section=SECTION)
    else:
        table.put(piece, REMOVED, why="married", section=SECTION)


def to_france(table: Table, royal: str, section: str) -> None:
    """21.1, 25.2: a Valois who has married lies on France's power card, for 1 VP."""
    royals.end_betrothal(table, royal, "married", section)
    table.put(royals.piece_of(royal), royals.MARRIED, why="married", section=section)
    if FRANCE in table.board.powers:
        score.award(table, FRANCE, "valois", table.kit.constants["valois_vp"], section=section)


# --- 21.1: what Royals bring ---


def _bonus(table: Table, royal: str, spouse: str) -> Procedure:
    """21.1: the bonus of a Royal who married, by the kit's word for it."""
    effect = royals.row(table, royal)["effect"]
    if effect == "cards":
        _cards(table, royal, spouse)
    elif effect == "influence":
        yield from _influence(table, royal, spouse)
    elif effect == "suppress_heresy":
        yield from _suppress(table, spouse)
    elif effect == "preach_sermons":
        yield from _preach(table, royal)
    elif effect == "patronage":
        table.set("isabella", royals.of_power(table, spouse), why="wedding", section=SECTION)
    elif effect == "patronage_lost":
        table.set("rudolf_married", True, why="wedding", section=SECTION)
        table.set("prague_centre", None, why="wedding", section=SECTION)
    elif effect == "spare_from_ageing":
        note(table, "turn", SPARED, royals.of_power(table, royal))


def _fits(table: Table, spouse: str, royal: str, condition: str) -> bool:
    """Whether a spouse is of the kind that a row of the kit's table ``wedding_cards`` asks for."""
    if condition == "not_first_wife":
        first = table.kit.constants["first_wives"][royal]
        return spouse != first and table.kit.scenarios[table.board.state["scenario"]]["first_turn"] == 1
    catholic = royals.of_power(table, spouse) in table.kit.constants["catholic_powers"]
    kinds = {"any": True, "catholic": catholic, "valois": royals.is_valois(table, spouse)}
    if condition.startswith("not_"):
        return not kinds[condition.removeprefix("not_")]
    return kinds[condition]


def _cards(table: Table, royal: str, spouse: str) -> None:
    """21.1: markers of +1 or -1 card; within one power both are its own."""
    for row in table.kit.tables["wedding_cards"].values():
        if row["royal"] == royal and _fits(table, spouse, royal, row["spouse"]):
            power = royals.of_power(table, spouse) if row["power"] == "spouse" else row["power"]
            majors.card_marker(table, power, row["cards"], why="wedding", section=SECTION)


def _influence(table: Table, royal: str, spouse: str) -> Procedure:
    """21.1: influence for the powers of both, once where they are one."""
    for row in table.kit.tables["wedding_influence"].values():
        if row["royal"] != royal:
            continue
        power = royals.of_power(table, spouse) if row["power"] == "spouse" else row["power"]
        twice = row["power"] == "spouse" and power == royals.of_power(table, royal)
        if power not in table.board.seated() or twice:
            continue
        among = partial(_open_among, power=power, listed=tuple(row["minors"]))
        for left in range(row["boxes"], 0, -1):
            minor = yield from choose(
                table,
                power,
                "minor",
                among,
                kind="wedding",
                section=SECTION,
                action=INFLUENCE,
                left=left,
            )
            if minor is not None:
                add_influence(table, power, minor, 1, SECTION)


def _open_among(table: Table, power: str, listed: Sequence[str]) -> list[str]:
    return [minor for minor in listed if minor in open_minors(table, power)]


def _suppress(table: Table, groom: str) -> Procedure:
    """21.1, Elisabeth of Austria: the groom's power suppresses heresy where it may, else Spain in the Netherlands."""
    constants = table.kit.constants
    power = royals.of_power(table, groom)
    regions = list(constants["suppress_heresy_regions"].get(power, ()))
    if power not in table.board.seated() or not regions:
        power, regions = constants["wedding_suppresses"]["power"], [constants["wedding_suppresses"]["region"]]
    side = constants["conversion_side"][power]
    region = yield from choose(
        table,
        power,
        "option",
        lambda t: [one for one in regions if not faith.last_stand(t, one, side)],
        kind="wedding",
        section="18.3",
        action="suppress_heresy",
    )
    if region is not None:
        yield from faith.attempt(table, power, side, [region], constants["conversion_attempts_action"])


def _preach(table: Table, royal: str) -> Procedure:
    """21.1, Earl of Arran: his power preaches sermons in one region."""
    constants = table.kit.constants
    power, region = royals.of_power(table, royal), constants["wedding_preaches_in"]
    if not faith.last_stand(table, region, PROTESTANT):
        yield from faith.protestant_attempts(table, power, region, constants["conversion_attempts_action"])


# --- 21.2, 21.3 ---


def virgin_queen(table: Table) -> Procedure:
    """21.2: Elizabeth unmarried and on the table of the eligible: 1 VP for England, at most five in the game."""
    constants = table.kit.constants
    held = score.markers(table, ENGLAND).get("virgin_queen", 0)
    if (
        ENGLAND in table.board.powers
        and royals.is_eligible(table, ELIZABETH)
        and held < constants["virgin_queen_vp_most"]
    ):
        score.award(table, ENGLAND, "virgin_queen", constants["virgin_queen_vp"], section="21.2")
    return
    yield


def ageing(table: Table) -> Procedure:
    """21.3: women go down a box; men roll and keep theirs on 5 and 6; below the last box a Royal leaves the table."""
    spared = []
    for power in table.board.powers:
        if noted(table, "turn", SPARED, power):
            one = yield from choose(
                table,
                power,
                "royal",
                partial(_eligible_of, power=power),
                kind="wedding",
                optional=True,
                section="21.3",
                action="spare_from_ageing",
            )
            spared.append(one)
    for royal in royals.eligible(table):
        if royal not in spared:
            _ages(table, royal)


def _eligible_of(table: Table, power: str) -> list[str]:
    return [royal for royal in royals.eligible(table) if royals.of_power(table, royal) == power]


def _ages(table: Table, royal: str) -> None:
    constants = table.kit.constants
    if royals.row(table, royal)["sex"] == "m":
        die = sum(table.roll("ageing", royals.of_power(table, royal), 1, royal=royal, section="21.3"))
        if die >= constants["ageing_kept_from"]:
            return
    left = royals.box(table, royal) - 1
    if left < constants["eligibility_least"]:
        royals.leaves(table, royal, "ageing", "21.3")
    else:
        table.mark(royals.piece_of(royal), why="ageing", section="21.3", box=left)


def come_back(table: Table) -> None:
    """21.1: William of Orange returns to the table of the eligible in the turn after his wedding, at 2 (8.1)."""
    box = f"turn_track:{table.board.state['turn']}"
    for royal in table.kit.tables["royals"]:
        if table.board.pieces[royals.piece_of(royal)]["at"] == box:
            number = table.kit.constants["william_returns_eligibility"]
            table.put(royals.piece_of(royal), ELIGIBLE, box=number, why="enters", section="8.1")


SEGMENTS = (("weddings", weddings), ("virgin_queen", virgin_queen), ("ageing", ageing))
ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()

__all__ = [
    "ACTIONS", "ORDERS", "SEGMENTS", "add_festivities", "betroth", "check_betrothal", "come_back", "evaluate",
    "french_couples", "happens", "jilt", "to_france", "why_not_jilt",
]  # fmt: skip
