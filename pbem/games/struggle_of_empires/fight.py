"""An attack: "at most one sea fight and then one land fight".

The procedures stand in the order of the book: paying, asking allies, alliance tiles, the sea fight, the land fight;
then what all fights share: strength, dice, losses; at last what the two raiding tiles do.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.games.struggle_of_empires import orders
from pbem.games.struggle_of_empires.map import (
    CONTROL,
    PIRATES,
    RAIDERS,
    SLAVE_REVOLT,
    allies,
    lay_marker,
    map_of,
    navies_for,
)
from pbem.games.struggle_of_empires.money import pay, take_unrest
from pbem.games.struggle_of_empires.targets import counter_piece
from pbem.games.struggle_of_empires.tiles import (
    REMOVED,
    alliance_tiles,
    give_back,
    laid,
    lift_blockades,
    owned,
    ready,
    row_of,
    turn,
)
from pbem.table.board import SUPPLY
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, InOrder, Question

ATTACKER, DEFENDER = "attacker", "defender"
SEA, LAND = "sea", "land"
KIND_AT = {SEA: "navy", LAND: "army"}
TRAINING_AT = {SEA: "naval_training", LAND: "army_training"}
FORCES = {PIRATES: "pirates_force", SLAVE_REVOLT: "slave_revolt_force"}


@dataclass
class Side:
    """One of the two principals with what he has agreed for this attack: names only, no numbers of pieces."""

    role: str
    name: str
    """A power, a counter, or one of the two raiding tiles."""
    power: str | None
    """None for a neutral, the pirates and the slave revolt: they lose nothing and choose nothing."""
    force: int = 0
    helpers: dict[str, list[str]] = field(default_factory=dict)
    """ally -> the kinds of unit that he helps with"""
    counted: dict[str, str] = field(default_factory=dict)
    """alliance tile that shows army and navy -> the fight in which it counts"""


@dataclass
class Attack:
    """One attack under way."""

    region: str
    attacker: Side
    defender: Side
    support: str | None = None
    """The role of the side that has naval support in the land fight."""
    blockade: bool = False
    """Whether naval support counts as with Blockade, use (b)."""

    def sides(self) -> list[Side]:
        return [self.attacker, self.defender]

    def other(self, side: Side) -> Side:
        return self.defender if side is self.attacker else self.attacker

    def side(self, role: str) -> Side:
        return self.attacker if role == ATTACKER else self.defender


def attack(
    table: Table,
    power: str,
    target: str,
    region: str,
    named: Sequence[str] = (),
    ask_allies: bool = True,
    free: bool = False,
) -> Procedure:
    """3: an attack, from its payment to the control marker.

    `named`: the tiles that the attacker uses as he declares it; `free`: by War Office.
    """
    table.tell("attack", power=power, target=target, region=region, free=free, section="3.1")
    if not (free and table.options["war_office_free_gold"]):
        pay(table, power, table.kit.constants["attack_gold"], why="attack", section="3.1")
    fought = Attack(region, Side(ATTACKER, power, power), _defender(table, target))
    surprise = "surprise_attack" in named and _surprise(table, power)
    debts: list[tuple[str, str, int]] = []
    if ask_allies:
        yield from call_allies(table, fought, fought.attacker, debts)
    if fought.defender.power and not surprise:
        yield from call_allies(table, fought, fought.defender, debts)
    yield from assign_alliance_tiles(table, fought)
    if target == PIRATES:
        winner = yield from fight(table, fought, SEA)
    else:
        yield from naval_support(table, fought)
        yield from blockade_support(table, fought, "blockade" in named)
        winner = yield from fight(table, fought, LAND)
    if winner == ATTACKER:
        conquer(table, fought)
    elif winner == DEFENDER and target in RAIDERS:
        table.tell("raiders_stay", tile=target, region=region, section="4")
    for payer, helper, gold in debts:
        _pay_helper(table, payer, helper, gold)


def _defender(table: Table, target: str) -> Side:
    if target in table.board.powers:
        return Side(DEFENDER, target, target)
    if target in RAIDERS:
        return Side(DEFENDER, target, None, table.kit.constants[FORCES[target]])
    return Side(DEFENDER, target, None, table.kit.tables["counters"][target]["strength"])


def _surprise(table: Table, power: str) -> bool:
    """4, Surprise Attack: the defender gets no help from allies; the tile goes back to the supply."""
    piece = ready(table, power, "surprise_attack")
    if piece is None:
        return False
    table.tell("surprise_attack", power=power, section="4")
    give_back(table, piece, power, why="surprise attack")
    return True


# --- 3.2: allies and their tiles ---


def fights_of(table: Table, fought: Attack) -> list[str]:
    """The fights that the attack can bring: at sea and on land, or one of them."""
    if fought.defender.name == PIRATES or fought.attacker.name == PIRATES:
        return [SEA]
    both_players = fought.attacker.power and fought.defender.power
    if both_players and map_of(table.kit).sea_for[fought.region]:
        return [SEA, LAND]
    return [LAND]


def place_of_fight(table: Table, fought: Attack, where: str) -> str:
    """Where the units of a fight stand: for the Ottoman Empire the navies are those in the Mediterranean."""
    sea = map_of(table.kit).sea_for[fought.region]
    return sea if where == SEA and sea else fought.region


def call_allies(table: Table, fought: Attack, side: Side, debts: list[tuple[str, str, int]]) -> Procedure:
    """3.2: a principal asks his allies for help, all at once; each says with which kind of units, and for what gold.

    Asked are those who have units that could take part. Gold asked has to be accepted by the principal; it is paid now
    or when the attack is over (option support_paid; then it is noted in `debts`).
    """
    assert side.power is not None
    principal = side.power
    fights = fights_of(table, fought)
    questions = []
    for ally in allies(table.board, principal):
        kinds = [KIND_AT[f] for f in fights if table.board.count(place_of_fight(table, fought, f), ally, KIND_AT[f])]
        if kinds:
            questions.append(
                Question(
                    ally,
                    "support",
                    [orders.Support, orders.Decline],
                    default=orders.Decline(),
                    context={**known_to_all(table, fought), "side": side.role, "kinds": kinds},
                    section="3.2",
                )
            )
    if not questions:
        return
    answers = yield AllOf(questions)
    offers: dict[str, int] = {}
    given: dict[str, list[str]] = {}
    for ally, answer in answers.items():
        kinds = []
        if isinstance(answer, orders.Support):
            kinds = [kind for kind, helps in (("navy", answer.navies), ("army", answer.armies)) if helps]
        gold = (answer.gold or 0) if kinds else 0
        table.tell("support", power=ally, principal=principal, kinds=kinds, gold=gold, section="3.2")
        if kinds and not gold:
            side.helpers[ally] = kinds
        elif kinds:
            offers[ally], given[ally] = gold, kinds
    if not offers:
        return
    answer = yield Question(
        principal,
        "accept_support",
        [orders.Accept, orders.Fight],
        default=orders.Fight(),
        context={**known_to_all(table, fought), "side": side.role, "offers": offers, "kinds": given},
        section="3.2",
    )
    accepted = answer.helpers if isinstance(answer, orders.Accept) else []
    for ally, gold in offers.items():
        what = "support_accepted" if ally in accepted else "support_refused"
        table.tell(what, power=principal, ally=ally, gold=gold, section="3.2")
        if ally in accepted:
            side.helpers[ally] = given[ally]
            if table.options["support_paid"] == "on_acceptance":
                _pay_helper(table, principal, ally, gold)
            else:
                debts.append((principal, ally, gold))


def _pay_helper(table: Table, payer: str, helper: str, gold: int) -> None:
    pay(table, payer, gold, why="support", section="3.2")
    table.count("gold", helper, gold, why="support", section="3.2")


def known_to_all(table: Table, fought: Attack) -> dict[str, Any]:
    """What is on the table when somebody is asked: who fights whom and where, and the strengths without dice."""
    fights = fights_of(table, fought)
    return {
        "region": fought.region,
        "attacker": fought.attacker.name,
        "defender": fought.defender.name,
        "target": fought.defender.name,
        "fight": fights[0] if len(fights) == 1 else "both",
        "strengths": {where: strengths(table, fought, where) for where in fights},
    }


def assign_alliance_tiles(table: Table, fought: Attack) -> Procedure:
    """3.2: each principal says in which fight each alliance tile counts that shows both army and navy.

    Asked is only who has such a tile while both fights are possible; else it counts in the fight that there is.
    """
    fights = fights_of(table, fought)
    both = len(fights) > 1 and all(can_fight_at_sea(table, fought, side) for side in fought.sides())
    first = table.options["alliance_tiles_first"]
    for side in sorted(fought.sides(), key=lambda side: side.role != first):
        if side.power is None:
            continue
        tiles = [tile for tile in _alliance_tiles_of(table, side.power, fought) if _shows_both(table, tile)]
        for tile in tiles:
            side.counted[tile] = SEA if fights == [SEA] else LAND
        if not tiles or not both:
            continue
        answer = yield Question(
            side.power,
            "alliance_tile",
            [orders.Count],
            default=_all_on_land,
            context={**known_to_all(table, fought), "side": side.role, "tiles": tiles},
            section="3.2",
        )
        for choice in answer.choices:
            side.counted[choice.tile] = choice.fight
            table.tell("alliance_tile", power=side.power, tile=choice.tile, fight=choice.fight, section="3.2")


def _all_on_land(table: Table, question: Question) -> orders.Count:
    tiles = question.context["tiles"]
    return orders.Count(choices=[orders.Count.Where(tile=tile, fight=LAND) for tile in tiles])


def _shows_both(table: Table, tile: str) -> bool:
    row = row_of(table, tile)
    return bool(row["army_bonus"] and row["navy_bonus"])


def _alliance_tiles_of(table: Table, power: str, fought: Attack) -> list[str]:
    """The alliance tiles of a power that name the region of the attack, or of its sea fight."""
    places = [place_of_fight(table, fought, where) for where in (SEA, LAND)]
    return [
        tile
        for tile in alliance_tiles(table.kit)
        if owned(table, power, tile) and any(place in row_of(table, tile)["regions"] for place in places)
    ]


# --- 3.3: the sea fight ---


def can_fight_at_sea(table: Table, fought: Attack, side: Side) -> bool:
    """Whether a side has a navy there, own or of a helping ally (option sea_support_needs_navy)."""
    if not table.options["sea_support_needs_navy"]:
        return True
    place = place_of_fight(table, fought, SEA)
    powers = [side.power, *(helper for helper, kinds in side.helpers.items() if "navy" in kinds)]
    return any(table.board.count(place, power, "navy") for power in powers if power)


def naval_support(table: Table, fought: Attack) -> Procedure:
    """3.3: who has naval support in the land fight; by a sea fight if both sides choose it."""
    if not map_of(table.kit).sea_for[fought.region]:
        return
    if fought.defender.power is None:
        # A neutral never fights at sea.
        assert fought.attacker.power is not None
        if navies_for(table, fought.attacker.power, fought.region):
            _give_support(table, fought, fought.attacker, "a neutral never fights at sea")
        return
    able = [side for side in fought.sides() if can_fight_at_sea(table, fought, side)]
    if len(able) < 2:
        if able:
            _give_support(table, fought, able[0], "the other side has no navy there")
        return
    # Both are asked at once; the defender's answer is not opened when the attacker declines.
    answers = yield InOrder(
        Question(
            side.power or "",
            "sea_fight",
            [orders.Fight, orders.Decline],
            default=orders.Decline(),
            context={**known_to_all(table, fought), "side": side.role},
            section="3.3",
        )
        for side in fought.sides()
    )
    for side, (_, answer) in zip(fought.sides(), answers, strict=True):
        table.tell("sea_fight", power=side.power, fights=isinstance(answer, orders.Fight), section="3.3")
        if not isinstance(answer, orders.Fight):
            _count_on_land(table, fought)
            _give_support(table, fought, fought.other(side), f"{side.name} declines the sea fight")
            return
    winner = yield from fight(table, fought, SEA)
    if winner:
        _give_support(table, fought, fought.side(winner), "won the sea fight")
    else:
        table.tell("no_naval_support", region=fought.region, because="the sea fight was a tie", section="3.3")


def _count_on_land(table: Table, fought: Attack) -> None:
    """3.2: no sea fight comes, so a tile said to count there counts on land (option alliance_tile_undone)."""
    if table.options.get("alliance_tile_undone", "lost") == "lost":
        return
    for side in fought.sides():
        for tile, where in list(side.counted.items()):
            if where == SEA:
                side.counted[tile] = LAND
                table.tell("alliance_tile", power=side.power, tile=tile, fight=LAND, section="3.2")


def _give_support(table: Table, fought: Attack, side: Side, because: str) -> None:
    fought.support = side.role
    table.tell("naval_support", power=side.power, region=fought.region, because=because, section="3.3")


def blockade_support(table: Table, fought: Attack, named: bool) -> Procedure:
    """4, Blockade (b): who has naval support may make it +2 instead of +1 in this land fight.

    The attacker may have said so as he declared the attack (`named`); else who has support and the tile is asked.
    """
    if fought.support is None:
        return
    side = fought.side(fought.support)
    if side.power is None or not ready(table, side.power, "blockade"):
        return
    use = named and side is fought.attacker
    if not use:
        answer = yield Question(
            side.power,
            "blockade",
            [orders.Use, orders.Decline],
            default=orders.Decline(),
            context={**known_to_all(table, fought), "side": side.role},
            section="4",
        )
        use = isinstance(answer, orders.Use)
    piece = ready(table, side.power, "blockade")
    if use and piece:
        fought.blockade = True
        table.tell("blockade_support", power=side.power, region=fought.region, section="4")
        give_back(table, piece, side.power, why="blockade")


# --- 3: what all fights share ---


def modifiers(table: Table, fought: Attack, side: Side, where: str) -> list[dict[str, Any]]:
    """What the strength of a side is made of, each part named, the dice apart."""
    if side.power is None:
        return [{"what": "force", "of": side.name, "value": side.force}]
    place = place_of_fight(table, fought, where)
    column = "sea_strength" if where == SEA else "land_attack" if side.role == ATTACKER else "land_defence"
    parts: list[dict[str, Any]] = []
    own_units = 0
    for power, kinds in ((side.power, ("army", "navy", "fort")), *side.helpers.items()):
        for kind in kinds:
            row = table.kit.tables["units"][kind]
            number = table.board.count(place, power, kind)
            value = row[column] or 0
            if number and value and (power == side.power or row["helps_allies"]):
                parts.append({"what": kind, "of": power, "number": number, "value": number * value})
                own_units += number if power == side.power else 0
    training, other = TRAINING_AT[where], fought.other(side).power
    mine, theirs = len(owned(table, side.power, training)), len(owned(table, other, training)) if other else 0
    if mine > theirs and own_units:
        bonus = table.kit.constants["training_bonus"]
        parts.append({"what": training, "of": side.power, "number": mine, "against": theirs, "value": bonus})
    if own_units or table.options["alliance_tile_needs"] == "nothing":
        for tile in _alliance_tiles_of(table, side.power, fought):
            row = row_of(table, tile)
            bonus = row["navy_bonus"] if where == SEA else row["army_bonus"]
            if place in row["regions"] and bonus and side.counted.get(tile, where) == where:
                parts.append({"what": "alliance_tile", "of": side.power, "tile": tile, "value": bonus})
    if where == LAND and fought.support == side.role:
        constants = table.kit.constants
        bonus = constants["naval_support_blockade"] if fought.blockade else constants["naval_support"]
        what = "naval_support_blockade" if fought.blockade else "naval_support"
        parts.append({"what": what, "of": side.power, "value": bonus})
    return parts


def strengths(table: Table, fought: Attack, where: str) -> dict[str, int]:
    """The strength of both sides without the dice."""
    return {side.role: sum(part["value"] for part in modifiers(table, fought, side, where)) for side in fought.sides()}


def fight(table: Table, fought: Attack, where: str) -> Generator[Any, Any, str | None]:
    """3: a fight at sea or on land: strength and the difference of two dice on each side; the higher total wins.

    Returns the role of the winner, None in a tie.
    """
    dice = {side.role: throw(table, side, where) for side in fought.sides()}
    yield from reserve(table, fought, where, dice)
    shown = []
    for side in fought.sides():
        parts = modifiers(table, fought, side, where)
        difference = max(dice[side.role]) - min(dice[side.role])
        shown.append(
            {
                "side": side.role,
                "name": side.name,
                "helpers": [helper for helper, kinds in side.helpers.items() if KIND_AT[where] in kinds],
                "modifiers": parts,
                "strength": sum(part["value"] for part in parts),
                "dice": dice[side.role],
                "difference": difference,
                "total": sum(part["value"] for part in parts) + difference,
            }
        )
    attack_total, defence_total = shown[0]["total"], shown[1]["total"]
    winner = ATTACKER if attack_total > defence_total else DEFENDER if defence_total > attack_total else None
    table.tell("fight", where=where, region=fought.region, sides=shown, winner=winner, section="3")
    yield from losses(table, fought, where, dice, winner)
    return winner


def throw(table: Table, side: Side, where: str) -> list[int]:
    """The dice of one side; for a neutral one of the players throws."""
    constants = table.kit.constants
    what = f"{where} fight, {side.role}"
    return table.roll(what, side.power, constants["fight_dice"], constants["die_sides"], section="3", side=side.name)


def reserve(table: Table, fought: Attack, where: str, dice: dict[str, list[int]]) -> Procedure:
    """3, Reserve: a principal who has seen the dice has them thrown again, once per tile; only the last throw counts.

    The attacker is asked first (option reserve_asked_first), until both keep the dice; whose dice are thrown again is
    an option too (reserve_rerolls). Changes `dice`.
    """
    used: list[str] = []
    first = table.options["reserve_asked_first"]
    sides = sorted(fought.sides(), key=lambda side: side.role != first)
    while True:
        able = [side for side in sides if side.power and _reserve_tile(table, side.power, used)]
        if not able:
            return
        before = strengths(table, fought, where)
        shown = {role: {"dice": dice[role], "total": before[role] + max(dice[role]) - min(dice[role])} for role in dice}
        # Asked at once; the second answer is opened only when the first keeps the dice.
        answers = yield InOrder(
            Question(
                side.power or "",
                "reroll",
                [orders.Reroll, orders.Keep],
                default=orders.Keep(),
                context={**known_to_all(table, fought), "side": side.role, "fight": where, "thrown": shown},
                section="3",
            )
            for side in able
        )
        for side, (_, answer) in zip(able, answers, strict=True):
            piece = _reserve_tile(table, side.power or "", used)
            if not isinstance(answer, orders.Reroll) or piece is None:
                table.tell("dice_kept", power=side.power, section="3")
                continue
            used.append(piece)
            turn(table, piece)
            table.tell("reserve", power=side.power, tile=piece, section="4")
            all_dice = table.options["reserve_rerolls"] == "all_dice"
            for again in fought.sides():
                if all_dice or again is side:
                    dice[again.role] = throw(table, again, where)
            break
        else:
            return


def _reserve_tile(table: Table, power: str, used: list[str]) -> str | None:
    """A Reserve that is not turned and was not used in this fight."""
    pieces = table.board.pieces
    return next((p for p in owned(table, power, "reserve") if p not in used and not pieces[p].get("used")), None)


@dataclass
class Loss:
    """A unit that a side has to lose: by defeat, in a tie, or to a natural 7; `by_ally`: it is an ally's."""

    side: Side
    why: str
    by_ally: bool = False
    saved: int = 0
    """Units of the side's that a Fighting Withdrawal saved from this fight: armies, or navies at sea."""


def losses(table: Table, fought: Attack, where: str, dice: dict[str, list[int]], winner: str | None) -> Procedure:
    """3: the loser removes a unit, in a tie each side does; a natural 7 costs that side one more.

    Each unit lost in a fight is one unrest for its owner. Who has no unit left there loses none.
    """
    constants = table.kit.constants
    due: list[Loss] = []
    for side in fought.sides():
        if side.power and winner != side.role:
            due += [Loss(side, "defeat" if winner else "tie")] * constants["fight_losses"]
    for side in fought.sides():
        if side.power and sum(dice[side.role]) == constants["natural_seven"]:
            lost = winner is not None and winner != side.role
            by_ally = lost or (winner is None and table.options["tie_natural_seven"] == "ally")
            by_ally = by_ally and bool(_helpers_there(table, fought, side, where))
            table.tell("natural_seven", power=side.power, by_ally=by_ally, section="3")
            due += [Loss(side, "natural_seven", by_ally)] * constants["natural_seven_losses"]
    if winner == ATTACKER:
        yield from withdraw(table, fought, where, due)
    for number, loss in enumerate(due):
        if loss.by_ally and _helpers_there(table, fought, loss.side, where):
            yield from _ally_loses(table, fought, loss, where)
        elif not loss.by_ally:
            more = sum(later.side is loss.side and not later.by_ally for later in due[number:])
            yield from _principal_loses(table, fought, loss, where, more, tie=winner is None)


def _helpers_there(table: Table, fought: Attack, side: Side, where: str) -> list[str]:
    """The allies who fight beside a side and still have a unit there."""
    place, kind = place_of_fight(table, fought, where), KIND_AT[where]
    return [h for h, kinds in side.helpers.items() if kind in kinds and table.board.count(place, h, kind)]


def _own_kinds(table: Table, fought: Attack, side: Side, where: str, tie: bool) -> dict[str, int]:
    """The principal's units of this fight that he could lose: kind -> number; in a tie never a fort."""
    place = place_of_fight(table, fought, where)
    kinds = ["navy"] if where == SEA else ["army"]
    if where == LAND and side.role == DEFENDER and not tie:
        kinds.append("fort")
    return {kind: n for kind in kinds if (n := table.board.count(place, side.power or "", kind))}


def _kinds_on_the_ground(table: Table, fought: Attack, side: Side, where: str, tie: bool) -> dict[str, int]:
    """The principal's units where the fight was, an attacker's fort too, which takes no part; in a tie never a fort."""
    place = place_of_fight(table, fought, where)
    kinds = ["navy"] if where == SEA else ["army"] if tie else ["army", "fort"]
    return {kind: n for kind in kinds if (n := table.board.count(place, side.power or "", kind))}


def _left(kinds: dict[str, int], loss: Loss, where: str) -> dict[str, int]:
    """The kinds of unit that can still be lost: what a Fighting Withdrawal saved cannot."""
    saved = {KIND_AT[where]: loss.saved}
    left = {kind: number - saved.get(kind, 0) for kind, number in kinds.items()}
    return {kind: number for kind, number in left.items() if number > 0}


def _principal_loses(table: Table, fought: Attack, loss: Loss, where: str, due: int, tie: bool) -> Procedure:
    """A unit of the principal's own: a defender on land chooses between army and fort. `due`: losses still to come."""
    owner = loss.side.power or ""
    kinds = _left(_own_kinds(table, fought, loss.side, where, tie), loss, where)
    if not kinds and loss.why == "natural_seven" and table.options.get("natural_seven_units") == "region":
        kinds = _left(_kinds_on_the_ground(table, fought, loss.side, where, tie), loss, where)
    if not kinds:
        return
    kind = next(iter(kinds))
    if len(kinds) > 1 and sum(kinds.values()) > due:
        answer = yield _loss_question(table, fought, where, owner, loss, {owner: list(kinds)})
        if answer.unit in kinds:
            kind = answer.unit
    lose_unit(table, owner, kind, place_of_fight(table, fought, where), loss.why)


def _ally_loses(table: Table, fought: Attack, loss: Loss, where: str) -> Procedure:
    """A natural 7 of a loser: the extra unit is his ally's; of several, the loser picks which ally loses one."""
    kind, helpers = KIND_AT[where], _helpers_there(table, fought, loss.side, where)
    owner = helpers[0]
    if len(helpers) > 1:
        choices = {helper: [kind] for helper in helpers}
        answer = yield _loss_question(table, fought, where, loss.side.power or "", loss, choices)
        if answer.owner in _helpers_there(table, fought, loss.side, where):
            owner = answer.owner
    lose_unit(table, owner, kind, place_of_fight(table, fought, where), loss.why)


def _loss_question(
    table: Table, fought: Attack, where: str, power: str, loss: Loss, choices: dict[str, list[str]]
) -> Question:
    return Question(
        power,
        "loss",
        [orders.Lose],
        default=lambda table, question: next(orders.Lose.candidates(table, question)),
        context={
            "region": fought.region,
            "attacker": fought.attacker.name,
            "defender": fought.defender.name,
            "fight": where,
            "side": loss.side.role,
            "why": loss.why,
            "choices": choices,
        },
        section="3",
    )


def lose_unit(table: Table, owner: str, kind: str, place: str, why: str) -> None:
    """A unit is lost in a fight: it goes back to the reserve and its owner takes one unrest."""
    table.tell("loss", power=owner, kind=kind, place=place, why=why, section="3")
    table.remove(owner, kind, place, why="lost in a fight", section="3")
    unrest = table.kit.tables["units"][kind]["unrest_if_lost"] or 0
    take_unrest(table, owner, unrest, why="lost in a fight", section="3")
    if kind == "navy":
        lift_blockades(table)


def withdraw(table: Table, fought: Attack, where: str, due: list[Loss]) -> Procedure:
    """4, Fighting Withdrawal: a defender who lost a fight saves one army or navy, his own or an ally's.

    No unrest comes of the unit saved; a control marker is lost all the same. Takes the loss out of `due`.
    """
    side = fought.defender
    if side.power is None or not ready(table, side.power, "fighting_withdrawal"):
        return
    may_save = []
    kinds = _own_kinds(table, fought, side, where, tie=False)
    if KIND_AT[where] in kinds and any(loss.side is side and not loss.by_ally for loss in due):
        may_save.append(side.power)
    if any(loss.side is side and loss.by_ally for loss in due):
        may_save += _helpers_there(table, fought, side, where)
    if not may_save:
        return
    answer = yield Question(
        side.power,
        "withdrawal",
        [orders.Use, orders.Decline],
        default=orders.Decline(),
        context={**known_to_all(table, fought), "side": side.role, "fight": where, "may_save": may_save},
        section="4",
    )
    piece = ready(table, side.power, "fighting_withdrawal")
    if not isinstance(answer, orders.Use) or piece is None:
        return
    saved = answer.beneficiary or side.power
    for loss in due:
        if loss.side is side and loss.by_ally == (saved != side.power):
            due.remove(loss)
            break
    if saved == side.power:
        # The unit saved is an army or navy: what is still lost cannot be that one, so that the tile never saves a fort.
        for loss in due:
            loss.saved = 1 if loss.side is side else 0
    table.tell("withdrawal", power=side.power, saved=saved, kind=KIND_AT[where], region=fought.region, section="4")
    give_back(table, piece, side.power, why="fighting withdrawal")


# --- 3.4 and 4: what a won attack brings ---


def conquer(table: Table, fought: Attack) -> None:
    """3: the attacker has won: a control marker of the defender there becomes his, or the counter does."""
    winner, region, target = fought.attacker.power or "", fought.region, fought.defender
    if target.power:
        if not table.board.count(region, target.power, CONTROL):
            table.tell("nothing_to_capture", power=winner, loser=target.power, region=region, section="3")
            return
        table.tell("captured", power=winner, loser=target.power, region=region, section="3")
        table.remove(target.power, CONTROL, region, why="captured", section="3")
        lay_marker(table, winner, region, why="captured", section="3")
    elif target.name in RAIDERS:
        _free_marker(table, winner, target.name, region)
    else:
        row = table.kit.tables["counters"][target.name]
        table.tell(
            "conquered",
            power=winner,
            counter=target.name,
            region=region,
            gold=row["gold"],
            vp=row["vp"],
            section="3",
        )
        table.put(counter_piece(target.name), REMOVED, why="conquered", section="3")
        lay_marker(table, winner, region, why="conquered", section="3")
        table.count("gold", winner, row["gold"], why="conquered", section="3")
        table.count("vp", winner, row["vp"], why="conquered", section="3")


def _free_marker(table: Table, winner: str, tile: str, region: str) -> None:
    """4: raiders beaten: the winner lays a marker of his own, the one they held goes to its owner, the tile back."""
    markers = laid(table, tile)
    table.tell("raiders_beaten", power=winner, tile=tile, region=region, section="4")
    for owner in table.board.powers:
        table.remove(owner, CONTROL, tile, table.board.count(tile, owner, CONTROL), why="raiders beaten", section="4")
    if markers:
        table.put(markers[0], SUPPLY, why="raiders beaten", section="4")
    lay_marker(table, winner, region, why="raiders beaten", section="4")


# --- 4: Pirates and Slave Revolt strike ---


def raid(table: Table, tile: str, piece: str, region: str, victim: str) -> Procedure:
    """4: Pirates (at sea, force 1) or Slave Revolt (on land, force 3) against the owner of a control marker.

    The owner has no allies, but his own tiles; the buyer takes no part. Won: the marker lies on the tile. Lost: the
    tile goes back to the supply. A tie: option pirates_first_tie.
    """
    where = SEA if tile == PIRATES else LAND
    force = table.kit.constants[FORCES[tile]]
    fought = Attack(region, Side(ATTACKER, tile, None, force), Side(DEFENDER, victim, victim))
    table.tell("raid", tile=tile, region=region, victim=victim, section="4")
    yield from assign_alliance_tiles(table, fought)
    if where == LAND and navies_for(table, victim, region):
        _give_support(table, fought, fought.defender, "a slave revolt never fights at sea")
        yield from blockade_support(table, fought, False)
    winner = yield from fight(table, fought, where)
    while winner is None and table.options["pirates_first_tie"] == "fight_again":
        winner = yield from fight(table, fought, where)
    if winner == ATTACKER and table.board.count(region, victim, CONTROL):
        table.tell("taken_by_raiders", tile=tile, region=region, power=victim, section="4")
        table.move(victim, CONTROL, 1, region, tile, why=tile, section="4")
    else:
        table.tell("raiders_beaten", power=victim, tile=tile, region=region, section="4")
        table.put(piece, SUPPLY, why="raiders beaten", section="4")
