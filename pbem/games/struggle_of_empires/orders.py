"""The orders of the game: their lines, and when the rules allow them.

An order knows only whether it is legal; what it does is a procedure of the modules named after the chapters.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, Self

from pbem.games.struggle_of_empires import movement, purchases, settling, targets, tiles
from pbem.games.struggle_of_empires.map import (
    CONTROL,
    OWN_HOME,
    RAIDERS,
    UNIT_KINDS,
    check_region,
    home,
    map_of,
    place_of,
    unallied,
)
from pbem.games.struggle_of_empires.money import check_population
from pbem.table.board import SUPPLY
from pbem.table.kit import Kit
from pbem.table.orders import (
    AnyName,
    Choice,
    Decline,
    Done,
    Many,
    Name,
    Number,
    Order,
    Pass,
    Refused,
    Unreadable,
    YesNo,
    find_name,
    shortened,
)
from pbem.table.procedure import Table
from pbem.table.questions import Question

ACTIONS = "2, actions"
RAISES_TO_OFFER = 3


class PlaceName(Name):
    """A region, or HOME for the own home country, which may be said by the name of its empire too."""

    def __init__(self, **more: Any):
        super().__init__("region", **more)

    def read(self, words: Sequence[str], names: Kit) -> str:
        if " ".join(words).casefold() in {OWN_HOME, *names.words("home")}:
            return OWN_HOME
        try:
            return super().read(words, names)
        except Unreadable as error:
            try:
                return home(find_name(names, "empire", " ".join(words).removeprefix(home(""))))
            except Unreadable:
                raise error from None


class UnitName(Name):
    """A kind of unit; one unit, not several."""

    def __init__(self, **more: Any):
        super().__init__("unit", **more)

    def read(self, words: Sequence[str], names: Kit) -> str:
        if (len(words) > 1 and words[0].isdecimal()) or (len(words) == 1 and words[0].casefold().endswith("s")):
            forms = ["BUILD army AT home, army AT home", "MOVE army FROM a TO b, army FROM a TO b"]
            raise Unreadable("each_unit_by_itself", forms, said=shortened(" ".join(words)))
        return super().read(words, names)


def _check_unit(kind: str) -> None:
    if kind not in UNIT_KINDS:
        raise Refused("no_military_unit", hints=UNIT_KINDS, kind=kind)


# --- set-up and auction ---


class Place(Order):
    """Place one unit in a region (set-up)."""

    line = "PLACE {unit} AT {region}"
    unit = UnitName()
    region = Name("region")

    def check(self, table: Table, question: Question) -> None:
        """Any of the eleven regions; navies only where navies can be (option forts_in_setup)."""
        section = "2, set-up"
        _check_unit(self.unit)
        check_region(table, self.region)
        if self.unit == "fort" and not table.options["forts_in_setup"]:
            raise Refused("no_forts_in_setup", section)
        if self.unit == "navy" and not map_of(table.kit).is_sea[self.region]:
            raise Refused("no_sea_there", section, region=self.region)
        if not table.board.count(SUPPLY, question.power, self.unit):
            raise Refused("all_placed", section, kind=self.unit)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for region in map_of(table.kit).regions:
            for kind in UNIT_KINDS:
                yield cls(unit=kind, region=region)


class Bid(Order):
    """Bid gold for a proposal: one empire for the top row (A), one for the bottom row (B)."""

    line = "BID {bid} [A {a}] [B {b}]"
    bid = Number(0)
    a = Name("empire", optional=True)
    b = Name("empire", optional=True)

    def check(self, table: Table, question: Question) -> None:
        """Higher than the last bid; unallied empires, two different ones, one alone if only one is left."""
        section = "2, auction"
        least = _least_bid(table)
        if self.bid < least:
            raise Refused("bid_too_low", section, least=least)
        free = unallied(table.board)
        for empire in (self.a, self.b):
            if empire is not None and empire not in free:
                code = "allied_already" if empire in table.board.powers else "takes_no_part"
                raise Refused(code, section, free, power=empire)
        if len(free) == 1:
            if (self.a is None) == (self.b is None):
                lines = [f"BID {self.bid} A {free[0]}", f"BID {self.bid} B {free[0]}"]
                raise Refused("one_empire_left", section, lines, power=free[0])
        elif self.a is None or self.b is None:
            example = f"BID {self.bid} A {free[0]} B {free[1]}"
            raise Refused("proposal_of_two", section, hint=example)
        elif self.a == self.b:
            raise Refused("proposal_of_one", section, free)

    def warning(self, table: Table, power: str) -> Refused | None:
        """Who bids more than he has pays the rest in unrest."""
        gold = table.board.value("gold", power)
        return Refused("bid_above_gold", "2, auction", bid=self.bid, gold=gold) if self.bid > gold else None

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        least, free = _least_bid(table), unallied(table.board)
        for bid in range(least, least + RAISES_TO_OFFER):
            if len(free) == 1:
                yield cls(bid=bid, a=free[0])
                yield cls(bid=bid, b=free[0])
            for a in free:
                for b in free:
                    if a != b:
                        yield cls(bid=bid, a=a, b=b)

    @classmethod
    def stands(cls, table: Table, question: Question) -> Self | None:
        proposal = table.board.state.get("proposal")
        return cls(bid=proposal["bid"], a=proposal["a"], b=proposal["b"]) if proposal else None

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        least = _least_bid(table)
        if least > RAISES_TO_OFFER and question.context["may_pass"]:
            return None
        return super().sample(table, question, chance)


def _least_bid(table: Table) -> int:
    proposal = table.board.state.get("proposal")
    return proposal["bid"] + 1 if proposal else table.kit.constants["minimum_bid"]


# --- the actions ---


class Buy(Order):
    """Buy a tile; Pirates and Slave Revolt say where and against whom they strike."""

    line = "BUY {tile} [AT {region}] [AGAINST {victim}]"
    tile = Name("tile")
    region = Name("region", optional=True)
    victim = Name("empire", optional=True)

    def check(self, table: Table, question: Question) -> None:
        """Once a round; Pirates in a colony, Slave Revolt in an American one, against a control marker there."""
        if _purchases_left(table) <= 0:
            raise Refused("bought_already", ACTIONS)
        purchases.check_purchase(table, question.power, self.tile)
        if self.tile not in RAIDERS:
            if self.region or self.victim:
                raise Refused("tile_strikes_nowhere", ACTIONS, hint=f"BUY {self.tile}", tile=self.tile)
            return
        if self.region is None or self.victim is None:
            example = f"BUY {self.tile} AT caribbean AGAINST {table.board.powers[0]}"
            raise Refused("tile_strikes_where", "4", hint=example, tile=self.tile)
        check_region(table, self.region)
        regions = tiles.row_of(table, self.tile)["regions"]
        if self.region not in regions:
            raise Refused("tile_not_there", "4", regions, tile=self.tile, region=self.region)
        if not table.board.count(self.region, self.victim, CONTROL):
            raise Refused("victim_has_no_marker", "4", power=self.victim, region=self.region)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        if _purchases_left(table) <= 0:
            return
        for tile, row in table.kit.tables["tiles"].items():
            if tile not in RAIDERS:
                yield cls(tile=tile)
                continue
            for region in row["regions"]:
                for victim in table.board.powers:
                    yield cls(tile=tile, region=region, victim=victim)


def _purchases_left(table: Table) -> int:
    return table.kit.constants["purchases_a_round"] - table.board.state.get("bought", 0)


class NewUnit(Order):
    """One unit that is built, and where it goes."""

    line = "{unit} AT {place}"
    unit = UnitName()
    place = PlaceName()


class Build(Order):
    """Build an army, a navy or a fort for 1 population; with Militia one army more. MORE YES: ask me again for it."""

    line = "BUILD {units} [MORE {more}]"
    units = Many(NewUnit)
    more = YesNo(optional=True)

    def check(self, table: Table, question: Question) -> None:
        """One unit; the second and further ones are armies, one for Militia (option militia_stacks)."""
        power = question.power
        most = question.context.get("units_left", builds_allowed(table, power))
        if len(self.units) > most:
            militia = bool(tiles.owned(table, power, "militia"))
            raise Refused("too_many_built", ACTIONS, most=most, named=len(self.units), militia=militia)
        by_militia = "units_left" in question.context
        cost = table.kit.constants["build_population"] * len(self.units)
        check_population(table, power, cost, section=ACTIONS)
        built: dict[str, int] = {}
        shift: dict[tuple[str, str], int] = {}
        for number, new in enumerate(self.units):
            if (number or by_militia) and new.unit != "army":
                raise Refused("militia_is_army", "4")
            place = place_of(power, new.place)
            movement.check_new_unit(table, power, new.unit, place, built.get(new.unit, 0), shift)
            built[new.unit] = built.get(new.unit, 0) + 1
            shift[place, new.unit] = shift.get((place, new.unit), 0) + 1

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power = question.power
        if table.board.value("population", power) < table.kit.constants["build_population"]:
            return
        kinds = [kind for kind in UNIT_KINDS if table.board.count(SUPPLY, power, kind)]
        for place in (*map_of(table.kit).regions, OWN_HOME):
            for kind in kinds:
                if movement.may_enter(table, power, kind, place_of(power, place)):
                    yield cls(units=[NewUnit(unit=kind, place=place)])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        one = super().sample(table, question, chance)
        may_be_two = tiles.owned(table, question.power, "militia") and "units_left" not in question.context
        if not isinstance(one, cls) or not may_be_two:
            return one
        second = NewUnit(unit="army", place=chance.choice((*map_of(table.kit).regions, OWN_HOME)))
        two = cls(units=[*one.units, second])
        return two if question.is_legal(table, two) else one


def builds_allowed(table: Table, power: str) -> int:
    """How many units a Build action builds: one, and with Militia an army more (option militia_stacks)."""
    militias = len(tiles.owned(table, power, "militia"))
    more = militias if table.options["militia_stacks"] else min(1, militias)
    return 1 + more * table.kit.constants["militia_armies"]


class Leg(Order):
    """One unit that moves, from where and to where."""

    line = "{unit} FROM {origin} TO {place}"
    unit = UnitName()
    origin = PlaceName()
    place = PlaceName()


class Move(Order):
    """Move up to two units, one after the other (more with Logistics). MORE YES: ask me again for the rest."""

    line = "MOVE {legs} [MORE {more}]"
    legs = Many(Leg)
    more = YesNo(optional=True)

    def check(self, table: Table, question: Question) -> None:
        """Each unit by the rules of movement, those before it taken as arrived; none moves twice in one action."""
        most = question.context.get("units_left", moves_allowed(table, question.power))
        if len(self.legs) > most:
            going_on = "units_left" in question.context
            raise Refused("too_many_moved", ACTIONS, most=most, named=len(self.legs), going_on=going_on)
        power = question.power
        shift: dict[tuple[str, str], int] = {}
        moved = {(place, kind): number for place, kind, number in question.context.get("moved", ())}
        for leg in self.legs:
            origin, place = place_of(power, leg.origin), place_of(power, leg.place)
            for named in (leg.origin, leg.place):
                if named != OWN_HOME and named.removeprefix(home("")) not in table.kit.tables["empires"]:
                    check_region(table, named)
            movement.check_leg(table, power, leg.unit, origin, place, shift, moved)
            shift[origin, leg.unit] = shift.get((origin, leg.unit), 0) - 1
            shift[place, leg.unit] = shift.get((place, leg.unit), 0) + 1
            moved[place, leg.unit] = moved.get((place, leg.unit), 0) + 1

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for leg in _possible_legs(table, question.power):
            yield cls(legs=[leg])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        power = question.power
        movers = _movers(table, power)
        if not movers:
            return None
        places = (*map_of(table.kit).regions, OWN_HOME)
        most = question.context.get("units_left", moves_allowed(table, power))
        legs: list[Leg] = []
        for _ in range(4 * most):
            kind, origin = chance.choice(movers)
            leg = Leg(unit=kind, origin=origin, place=chance.choice(places))
            order = cls(legs=[*legs, leg], more=True if chance.random() < 0.1 else None)
            if question.is_legal(table, order):
                legs.append(leg)
                if len(legs) == most or chance.random() < 0.2:
                    return order
        return cls(legs=legs) if legs else None


def moves_allowed(table: Table, power: str) -> int:
    """How many units a Move action moves: two, and one more for each Logistics."""
    constants = table.kit.constants
    return constants["move_units"] + constants["logistics_units"] * len(tiles.owned(table, power, "logistics"))


def _movers(table: Table, power: str) -> list[tuple[str, str]]:
    """(kind, origin) of every group of units that can move, origins as an order names them."""
    movers = []
    for origin in (*map_of(table.kit).regions, OWN_HOME):
        for kind in ("army", "navy"):
            if table.board.count(place_of(power, origin), power, kind):
                movers.append((kind, origin))
    return movers


def _possible_legs(table: Table, power: str) -> Iterator[Leg]:
    for kind, origin in _movers(table, power):
        for place in (*map_of(table.kit).regions, OWN_HOME):
            if place != origin and movement.may_enter(table, power, kind, place_of(power, place)):
                yield Leg(unit=kind, origin=origin, place=place)


class Attack(Order):
    """Attack a player, a counter with a number, the pirates or a slave revolt. ALLIES NO: do not ask my allies."""

    line = "ATTACK {target} IN {region} [WITH {tiles}] [ALLIES {allies}]"
    target = AnyName("empire", "counter", "tile")
    region = Name("region")
    tiles = Many(Name("tile"), optional=True, most=2)
    allies = YesNo(optional=True)

    def check(self, table: Table, question: Question) -> None:
        """A target in reach; of tiles, Surprise Attack (against a player) and Blockade can be named."""
        targets.check_target(table, question.power, self.target, self.region)
        check_attack_tiles(table, question.power, self.target, self.tiles or ())

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        surprise = tiles.ready(table, question.power, "surprise_attack")
        for target, region in targets.targets(table, question.power):
            yield cls(target=target, region=region)
            if surprise:
                yield cls(target=target, region=region, tiles=["surprise_attack"])


def check_attack_tiles(table: Table, power: str, target: str, named: Sequence[str]) -> None:
    """Raise `Refused` for a tile that the attacker cannot use when he declares the attack."""
    if len(set(named)) < len(named):
        raise Refused("tile_twice", "3.1")
    for tile in named:
        if tile not in ("surprise_attack", "blockade"):
            raise Refused("tile_not_with_attack", "3.1", ["WITH surprise_attack", "WITH blockade"], tile=tile)
        if not tiles.ready(table, power, tile):
            raise Refused("no_such_tile_of_yours", "3.1", tile=tile)
        if tile == "surprise_attack" and target not in table.board.powers:
            raise Refused("nobody_to_surprise", "4")
        if tile == "blockade" and target == "pirates":
            raise Refused("no_land_fight", "4", target=target)


class Colonise(Order):
    """Replace a counter that shows Pop by a control marker of yours, for 1 population."""

    line = "COLONISE {where}"
    kind = "pop"
    where = AnyName("region", "counter")

    def check(self, table: Table, question: Question) -> None:
        settling.check(table, question.power, self.kind, self.where)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for counter in targets.open_counters(table, cls.kind):
            yield cls(where=counter)


class Enslave(Colonise):
    """Replace a counter that shows Slaves by a control marker of yours; you need a navy in Africa."""

    line = "ENSLAVE {where}"
    kind = "slaves"


class Use(Order):
    """Use a tile of yours, free of charge in actions."""

    line = (
        "USE {tile} [AT {region}] [THEN TO {then}] [FOR {beneficiary}]"
        " [ATTACK {target} IN {battlefield} [WITH {tiles}] [ALLIES {allies}]]"
    )
    tile = Name("tile")
    region = PlaceName(optional=True)
    then = PlaceName(optional=True)
    beneficiary = AnyName("empire", "tile", optional=True)
    target = AnyName("empire", "counter", "tile", optional=True)
    battlefield = Name("region", optional=True)
    tiles = Many(Name("tile"), optional=True, most=2)
    allies = YesNo(optional=True)

    def check(self, table: Table, question: Question) -> None:
        """Each tile by its own text."""
        power = question.power
        if self.tile not in table.kit.tables["tiles"]:
            raise Refused("no_tile", tile=self.tile)
        if not tiles.owned(table, power, self.tile):
            raise Refused("no_such_tile_of_yours", "4", tile=self.tile)
        if not tiles.ready(table, power, self.tile):
            raise Refused("tile_used_in_war", "4", tile=self.tile)
        if question.kind in ("blockade", "withdrawal"):
            check = getattr(self, f"_check_{question.kind}_now")
        else:
            check = getattr(self, f"_check_{self.tile}", None)
            if check is None:
                lines = [f"USE {tile}" for tile in _usable(table, power)]
                raise Refused(NOT_BY_USE.get(self.tile, "tile_counts_by_itself"), "4", lines, tile=self.tile)
        check(table, question)

    def _only(self, *allowed: str) -> None:
        for name in self.fields:
            if name not in ("tile", *allowed) and getattr(self, name) is not None:
                part = re.search(rf"\[([A-Z ]+) [^\[\]]*\{{{name}\}}", self.line)
                word = part.group(1) if part else name.upper()
                raise Refused("tile_without_word", "4", tile=self.tile, word=word)

    def _new_unit(self, table: Table, power: str, kind: str) -> None:
        self._only("region")
        if self.region is None:
            raise Refused("unit_goes_where", "4", hint=f"USE {self.tile} AT home")
        movement.check_new_unit(table, power, kind, place_of(power, self.region))

    def _check_mercenaries(self, table: Table, question: Question) -> None:
        self._new_unit(table, question.power, "army")

    def _check_pressgangs(self, table: Table, question: Question) -> None:
        self._new_unit(table, question.power, "navy")

    def _check_trained_natives(self, table: Table, question: Question) -> None:
        """An army into a colony where the player has a marker or any unit; then, if he likes, a move."""
        self._only("region", "then")
        power = question.power
        world = map_of(table.kit)
        if self.region is None or not world.is_colony.get(self.region, False):
            raise Refused("natives_where", "4", [f"USE trained_natives AT {region}" for region in world.colonies])
        if not any(table.board.count(self.region, power, kind) for kind in (CONTROL, *UNIT_KINDS)):
            raise Refused("nothing_of_yours_there", "4", region=self.region)
        if not table.board.count(SUPPLY, power, "army"):
            raise Refused("no_army_left", "4")
        if self.then is not None:
            shift = {(self.region, "army"): 1}
            movement.check_leg(table, power, "army", self.region, place_of(power, self.then), shift)

    def _check_improved_agriculture(self, table: Table, question: Question) -> None:
        self._only()
        most = table.kit.constants["population_maximum"]
        if table.board.value("population", question.power) >= most:
            raise Refused("population_full", "4", most=most)

    def _check_government_reform(self, table: Table, question: Question) -> None:
        self._only()
        if table.board.value("unrest", question.power) < 1:
            raise Refused("no_unrest", "4")

    def _check_diplomatic_service(self, table: Table, question: Question) -> None:
        self._only("beneficiary")
        owned = tiles.alliance_tiles(table.kit)
        if self.beneficiary not in owned:
            left = [f"USE diplomatic_service FOR {tile}" for tile in owned if tiles.at(table, SUPPLY, tile)]
            raise Refused("which_alliance_tile", "4", left)
        purchases.check_purchase(table, question.power, self.beneficiary, "4")

    def _check_war_office(self, table: Table, question: Question) -> None:
        self._only("target", "battlefield", "tiles", "allies")
        if self.target is None or self.battlefield is None:
            raise Refused("free_attack_on_whom", "4", hint="USE war_office ATTACK <target> IN <region>")
        targets.check_target(table, question.power, self.target, self.battlefield)
        check_attack_tiles(table, question.power, self.target, self.tiles or ())

    def _check_blockade(self, table: Table, question: Question) -> None:
        self._only("region")
        if self.region is None:
            raise Refused("blockade_where", "4", hint="USE blockade AT <region>")
        tiles.check_laying(table, question.power, self.region)

    def _check_blockade_now(self, table: Table, question: Question) -> None:
        self._only()
        if self.tile != "blockade":
            raise Refused("only_blockade_now", "4", ["USE blockade", "DECLINE"])

    def _check_withdrawal_now(self, table: Table, question: Question) -> None:
        self._only("beneficiary")
        if self.tile != "fighting_withdrawal":
            raise Refused("only_withdrawal_now", "4", ["USE fighting_withdrawal", "DECLINE"])
        may = question.context["may_save"]
        if (self.beneficiary or question.power) not in may:
            lines = ["USE fighting_withdrawal" + ("" if of == question.power else f" FOR {of}") for of in may]
            raise Refused("no_unit_to_save", "4", lines, power=self.beneficiary or question.power)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        power = question.power
        if question.kind == "blockade":
            yield cls(tile="blockade")
            return
        if question.kind == "withdrawal":
            for saved in question.context["may_save"]:
                yield cls(tile="fighting_withdrawal", beneficiary=None if saved == power else saved)
            return
        regions = map_of(table.kit).regions
        for tile in _usable(table, power):
            if tile in ("improved_agriculture", "government_reform"):
                yield cls(tile=tile)
            elif tile == "blockade":
                for region in tiles.row_of(table, tile)["regions"]:
                    yield cls(tile=tile, region=region)
            elif tile in ("mercenaries", "pressgangs"):
                for place in (*regions, OWN_HOME):
                    yield cls(tile=tile, region=place)
            elif tile == "trained_natives":
                for region in map_of(table.kit).colonies:
                    yield cls(tile=tile, region=region)
                    if table.board.count(region, power, CONTROL):
                        for place in (*regions, OWN_HOME):
                            yield cls(tile=tile, region=region, then=place)
            elif tile == "diplomatic_service":
                for alliance in tiles.alliance_tiles(table.kit):
                    yield cls(tile=tile, beneficiary=alliance)
            elif tile == "war_office":
                for target, region in targets.targets(table, power):
                    yield cls(tile=tile, target=target, battlefield=region)


USABLE = (
    "improved_agriculture",
    "government_reform",
    "mercenaries",
    "pressgangs",
    "trained_natives",
    "diplomatic_service",
    "blockade",
    "war_office",
)
"""The tiles that a player uses by himself within his actions."""


NOT_BY_USE = {
    "surprise_attack": "tile_with_attack",
    "fighting_withdrawal": "tile_asked_after_defeat",
    "reserve": "tile_asked_after_dice",
    "militia": "tile_with_build",
    "logistics": "tile_with_move",
}
"""The refusals that say how the tiles are used which are not used by USE."""


def _usable(table: Table, power: str) -> list[str]:
    return [tile for tile in USABLE if tiles.ready(table, power, tile)]


# --- in a fight ---


class Support(Order):
    """Help an ally with all your navies, all your armies, or both; FOR names the gold that you ask for it."""

    line = "SUPPORT [NAVIES {navies}] [ARMIES {armies}] [FOR {gold} GOLD]"
    navies = YesNo(optional=True)
    armies = YesNo(optional=True)
    gold = Number(0, optional=True)

    def check(self, table: Table, question: Question) -> None:
        """Units that are there, of a kind that can take part; never forts."""
        useful = question.context["kinds"]
        region = question.context["region"]
        words = {"navy": "NAVIES", "army": "ARMIES"}
        lines = [*(f"SUPPORT {words[kind]} YES" for kind in useful), "DECLINE"]
        if self.navies is None and self.armies is None:
            raise Refused("help_with_what", "3.2", lines)
        if self.navies and "navy" not in useful:
            raise Refused("no_help_of_that_kind", "3.2", lines, kind="navy", region=region)
        if self.armies and "army" not in useful:
            raise Refused("no_help_of_that_kind", "3.2", lines, kind="army", region=region)
        if self.gold and not (self.navies or self.armies):
            raise Refused("gold_for_help_only", "3.2", lines)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        useful = question.context["kinds"]
        for gold in (None, 1, 2):
            if "navy" in useful:
                yield cls(navies=True, armies=False, gold=gold)
            if "army" in useful:
                yield cls(navies=False, armies=True, gold=gold)
            if len(useful) > 1:
                yield cls(navies=True, armies=True, gold=gold)
        yield cls(navies=False, armies=False)


class Accept(Order):
    """Take help for the gold asked, from these allies."""

    line = "ACCEPT SUPPORT FROM {helpers}"
    helpers = Many(Name("empire"))

    def check(self, table: Table, question: Question) -> None:
        offers = question.context["offers"]
        for helper in self.helpers:
            if helper not in offers:
                raise Refused("offers_no_help", "3.2", [f"ACCEPT SUPPORT FROM {one}" for one in offers], power=helper)
        if len(set(self.helpers)) < len(self.helpers):
            raise Refused("ally_twice", "3.2")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        offers = list(question.context["offers"])
        for helper in offers:
            yield cls(helpers=[helper])
        if len(offers) > 1:
            yield cls(helpers=offers)


class Fight(Order):
    """Fight: at sea, or on without the help that costs gold."""

    line = "FIGHT"


class Count(Order):
    """Say in which fight of this attack each alliance tile counts that shows both army and navy."""

    line = "COUNT {choices}"

    class Where(Order):
        """One alliance tile, and the fight that it counts in."""

        line = "{tile} AT {fight}"
        tile = Name("tile")
        fight = Choice("land", "sea")

    choices = Many(Where)

    def check(self, table: Table, question: Question) -> None:
        known = question.context["tiles"]
        named = [choice.tile for choice in self.choices]
        for tile in named:
            if tile not in known:
                raise Refused("tile_has_no_choice", "3.2", known, tile=tile)
        if sorted(named) != sorted(known):
            example = "COUNT " + ", ".join(f"{tile} AT LAND" for tile in known)
            raise Refused("each_tile_once", "3.2", hint=example)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        known = question.context["tiles"]
        for at_sea in range(len(known) + 1):
            choices = [
                cls.Where(tile=tile, fight="sea" if number < at_sea else "land") for number, tile in enumerate(known)
            ]
            yield cls(choices=choices)


class Reroll(Order):
    """Use Reserve: the dice are thrown again."""

    line = "REROLL"


class Keep(Order):
    """Let the dice lie."""

    line = "KEEP"


class Lose(Order):
    """Choose the unit that is lost; OF names the ally whose it is."""

    line = "LOSE {unit} [OF {owner}]"
    unit = Name("unit")
    owner = Name("empire", optional=True)

    def check(self, table: Table, question: Question) -> None:
        choices = question.context["choices"]
        owners = [owner for owner in choices if self.owner in (None, owner)]
        if not owners:
            raise Refused("loses_no_unit", "3", list(choices), power=self.owner)
        if len(owners) > 1:
            raise Refused("lost_by_whom", "3", [f"LOSE {self.unit} OF {owner}" for owner in owners])
        if self.unit not in choices[owners[0]]:
            raise Refused("not_lost_here", "3", [f"LOSE {kind}" for kind in choices[owners[0]]], kind=self.unit)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for owner, kinds in question.context["choices"].items():
            for kind in kinds:
                yield cls(unit=kind, owner=None if owner == question.power else owner)


# --- income ---


class Collect(Order):
    """Say which of its two regions a company tile brings gold for."""

    line = "COLLECT {region}"
    region = Name("region")

    def check(self, table: Table, question: Question) -> None:
        if self.region not in question.context["regions"]:
            raise Refused("not_of_the_tile", "5", question.context["regions"], region=self.region)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for region in question.context["regions"]:
            yield cls(region=region)


ALL = (
    Place,
    Bid,
    Buy,
    Build,
    Move,
    Attack,
    Colonise,
    Enslave,
    Use,
    Support,
    Accept,
    Fight,
    Count,
    Reroll,
    Keep,
    Lose,
    Collect,
    Pass,
    Decline,
    Done,
)

