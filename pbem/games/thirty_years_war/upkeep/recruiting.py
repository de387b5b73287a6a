"""8.4: recruiting. A card gives as many attempts as its value; each names a leader and a type of unit, and rolls.

One mail names all attempts, with how steps become units; they are carried out one after the other. Who names fewer than
the card gives is asked for the rest when he has seen the results (INT-35, option recruits_declared).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import siege
from pbem.games.thirty_years_war.map import atlas, roll
from pbem.games.thirty_years_war.politics import bans, nations, wallenstein
from pbem.games.thirty_years_war.turn import deck
from pbem.games.thirty_years_war.turn.activation import CardUse
from pbem.table.asking import Stop
from pbem.table.orders import AnyName, Choice, Line, Many, Name, Number, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "8.4"
MOST_OF_A_LEADER = 2
STEPS_OF_A_UNIT = 2
FULL, REDUCED, MIXED = "full", "reduced", "mixed"


class Attempt(Line):
    """An attempt: who tries, for what, and whether steps become full units, reduced ones, or one full and reduced."""

    line = "{leader} FOR {unit} [AS {split}]"
    leader = Name("leader")
    unit = AnyName("unit_type", "unit")
    split = Choice(FULL, REDUCED, MIXED, optional=True)


# --- who may recruit what, where ---


def kind_raised(table: Table, leader: str, named: str) -> str:
    """8.41, 17: the kind of unit that a leader (piece) raises when this type or kind is named. Raises `Refused`."""
    nation = pieces.nation_of(table, leader)
    rows = table.kit.tables["units"]
    if pieces.VETERAN in (named, rows.get(named, {}).get("type")):
        raise Refused("veterans_not_recruited", "8.41", unit=named)
    raised = [kind for kind, row in rows.items() if nation in row["recruited_by"]]
    if not raised:
        raise Refused("nation_does_not_recruit", "17", leader=pieces.face_of(table, leader), nation=nation)
    kinds = [kind for kind in raised if named in (kind, rows[kind]["type"])]
    if not kinds:
        raise Refused(
            "nation_raises_other_units", "17", leader=pieces.face_of(table, leader), unit=named, units=raised
        )
    return kinds[0]


def attempt_refusal(table: Table, side: str, attempt: Attempt) -> Refused | None:
    """8.4, 8.41, 8.43, C 8.4: why an attempt may not be made now; None when it may."""
    piece = pieces.leader_piece(table, attempt.leader)
    space = pieces.where(table, piece)
    if space not in atlas(table).spaces or pieces.side_of(table, piece) != side:
        return Refused("leader_not_there", SECTION, leader=attempt.leader)
    try:
        kind = kind_raised(table, piece, attempt.unit)
    except Refused as refusal:
        return refusal
    if siege.is_besieged(table, piece):
        return Refused("leader_besieged", "C 8.4", leader=attempt.leader, space=space)
    if control.loot(table, space) >= table.kit.constants["highest_loot"]:
        return Refused("no_recruiting_in_waste", SECTION, leader=attempt.leader, space=space)
    banned = bans.recruiting_refusal(table, piece) or place_refusal(table, side, piece, kind, space)
    if banned is not None:
        return banned
    if not pieces.available(table, kind):
        return Refused("no_counter_left", "8.412", unit=kind)
    return None


def place_refusal(table: Table, side: str, leader: str, kind: str, space: str) -> Refused | None:
    """8.43, 17: why a leader (piece) may not raise units of a kind in a space for the region that it lies in.

    Bans "in a region" do not reach independent cities (2.41, C 8.4); units that are raised in some regions only are not
    raised in cities; what needs a region of one's own reads a city by its holder (INT-83).
    """
    chart, rules = atlas(table), table.kit.constants["recruiting"]
    region, row = chart.region(space), table.kit.tables["units"][kind]
    if region is None:
        if kind in rules["in_regions_only"]:
            return Refused("not_raised_in_cities", "8.43", unit=kind, space=space)
    else:
        banned = chart.regions[region]["recruit_banned"]
        if f"{row['nation']}:all" in banned or f"{row['nation']}:{row['type']}" in banned:
            return Refused("not_raised_in_region", "8.43", unit=kind, region=region, space=space)
        is_rebel = region == table.kit.constants["places"]["rebellion"] and table.board.state.get("rebellion")
        if is_rebel and row["nation"] != nations.HUNGARIAN:
            return Refused("rebellion_raises_its_own", "17.H.3", unit=kind, region=region)
        if control.is_neutral(table, region) and table.options["recruit_in_neutral"] == "forbidden":
            return Refused("no_recruiting_in_neutral", SECTION, region=region, space=space)
    pair = f"{pieces.nation_of(table, leader)}:{kind}"
    if pair in rules["own_regions"] and not _is_own(table, side, kind, region, space):
        return Refused("raised_in_own_regions", "8.43", unit=kind, space=space, region=region)
    return None


def _is_own(table: Table, side: str, kind: str, region: str | None, space: str) -> bool:
    """17.F.2, 17.Sw.3: whether a side controls the region that a space lies in; of a city, the city itself (INT-83).

    By option recruiting_conflicts ``general`` the Swedes and French raise Germans as the Germans do (17.G.2).
    """
    is_german = table.kit.tables["units"][kind]["nation"] == nations.GERMAN
    if is_german and table.options["recruiting_conflicts"] == "general":
        return True
    if region is None:
        return table.options["city_recruiting"] == "anywhere" or control.holder(table, space) == side
    return control.region_holder(table, region) == side


def check_attempts(table: Table, side: str, card: str, attempts: Sequence[Attempt], before: Sequence[str]) -> None:
    """8.4: as many attempts as the card's value, two of a leader at most. `before`: who has tried with this card.

    Raises `Refused`.
    """
    value = deck.value(table, card)
    if len(before) + len(attempts) > value:
        left = value - len(before)
        raise Refused("too_many_attempts", SECTION, attempts=len(attempts), left=left, card=card, value=value)
    tried = [*before, *(attempt.leader for attempt in attempts)]
    for leader in tried:
        if tried.count(leader) > MOST_OF_A_LEADER:
            raise Refused("leader_tried_twice", SECTION, leader=leader)
    for attempt in attempts:
        refusal = attempt_refusal(table, side, attempt)
        if refusal is not None:
            raise refusal


# --- orders ---


class Recruit(CardUse):
    """Use a card for recruiting: RECRUIT C12 BY Tilly FOR mercenary, Tilly FOR militia AS reduced [UNTIL 3 steps]."""

    line = "RECRUIT {card} BY {attempts} [UNTIL {steps}]"
    use = "recruit"
    attempts = Many(Attempt, most=5)
    steps = Number(1, 20, optional=True, help="stop when so many steps have come")

    def check_card_use(self, table: Table, side: str) -> None:
        check_attempts(table, side, self.card, self.attempts, ())

    def procedure(self, table: Table, side: str) -> Procedure:
        yield from recruit(table, side, self.card, self.attempts, self.steps)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for attempt in legal_attempts(table, question.power):
            for card in cls.cards(table, question):
                yield cls(card=card, attempts=[attempt])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        cards, able = list(cls.cards(table, question)), list(legal_attempts(table, question.power))
        if not cards or not able:
            return None
        card = chance.choice(cards)
        attempts = _by_chance(able, deck.value(table, card), (), chance)
        order = cls(card=card, attempts=attempts) if attempts else None
        return order if order is not None and question.is_legal(table, order) else None


class RecruitMore(Order):
    """Use attempts that the card has left: RECRUIT BY Pappenheim FOR militia."""

    line = "RECRUIT BY {attempts} [UNTIL {steps}]"
    attempts = Many(Attempt, most=5)
    steps = Number(1, 20, optional=True, help="stop when so many steps have come")

    def check(self, table: Table, question: Question) -> None:
        asked = question.context
        check_attempts(table, question.power, asked["card"], self.attempts, asked["tried"])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for attempt in legal_attempts(table, question.power):
            yield cls(attempts=[attempt])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        able = list(legal_attempts(table, question.power))
        attempts = _by_chance(able, question.context["left"], question.context["tried"], chance)
        return cls(attempts=attempts) if attempts else None


def legal_attempts(table: Table, side: str) -> Iterator[Attempt]:
    """The attempts that a side may make now, one for each leader and kind, as full units."""
    for piece in pieces.on_map(table, side):
        if not pieces.is_leader(piece):
            continue
        nation = pieces.nation_of(table, piece)
        for kind, row in table.kit.tables["units"].items():
            if nation in row["recruited_by"]:
                attempt = Attempt(leader=pieces.face_of(table, piece), unit=kind)
                if attempt_refusal(table, side, attempt) is None:
                    yield attempt


def _by_chance(
    able: Sequence[Attempt], most: int, before: Sequence[str], chance: random.Random
) -> list[Attempt]:
    tried, orders = list(before), []
    for _ in range(chance.randint(1, most)):
        left = [attempt for attempt in able if tried.count(attempt.leader) < MOST_OF_A_LEADER]
        if left:
            attempt = chance.choice(left)
            split = chance.choice((None, REDUCED, MIXED))
            orders.append(Attempt(leader=attempt.leader, unit=attempt.unit, split=split))
            tried.append(attempt.leader)
    return orders


# --- the procedure ---


def recruit(
    table: Table, side: str, card: str, attempts: Sequence[Attempt], until: int | None = None
) -> Procedure:
    """8.4, 8.41: the attempts named, one by one, and what the card leaves over; `until`: stop at so many steps."""
    tried: list[str] = []
    steps = 0
    while True:
        for attempt in attempts:
            if until is not None and steps >= until:
                return
            tried.append(attempt.leader)
            steps += try_once(table, side, attempt)
            yield from control.triggers(table)
        left = deck.value(table, card) - len(tried)
        if left <= 0 or table.options["recruits_declared"] == "at_once" or not _can_go_on(table, side, tried):
            return
        answer = yield Question(
            side,
            "recruiting",
            [RecruitMore, Stop],
            Stop(),
            context={"card": card, "tried": list(tried), "left": left, "steps": steps},
            section=SECTION,
        )
        if isinstance(answer, Stop):
            return
        attempts, until = answer.attempts, None if answer.steps is None else steps + answer.steps


def _can_go_on(table: Table, side: str, tried: Sequence[str]) -> bool:
    return any(tried.count(attempt.leader) < MOST_OF_A_LEADER for attempt in legal_attempts(table, side))


def modifiers(table: Table, leader: str, space: str) -> dict[str, int]:
    """8.41, C 7.0: the modifiers of a recruiting roll by name.

    Wallenstein's own covers that of a dynamic leader (INT-40, option wallenstein_recruiting).
    """
    rows = table.kit.tables["modifiers"]
    is_he, dynamic = wallenstein.shows_him(table, leader), pieces.is_dynamic(table, leader)
    both = table.options["wallenstein_recruiting"] == "three"
    holds = {
        "wallenstein": is_he,
        "dynamic_leader": dynamic and (both or not is_he),
        "loot_1": control.loot(table, space) == 1,
    }
    return {name: rows[f"recruitment:{name}"]["drm"] for name, held in holds.items() if held}


def steps_of(table: Table, kind: str, modified: int) -> int:
    """8.411: the steps that a modified roll gives; the lowest and the highest row stand for all beyond."""
    of = table.kit.tables["units"][kind]["type"]
    rows = {row["roll"]: row["steps"] for row in table.kit.tables["recruitment"].values() if row["type"] == of}
    return rows[max(min(rows), min(max(rows), modified))]


def try_once(table: Table, side: str, attempt: Attempt) -> int:
    """8.41: one attempt; returns the steps that it gave. One that has become impossible meanwhile is passed over."""
    refusal = attempt_refusal(table, side, attempt)
    if refusal is not None:
        table.tell("attempt_falls", power=side, leader=attempt.leader, unit=attempt.unit, section=SECTION)
        return 0
    piece = pieces.leader_piece(table, attempt.leader)
    space, kind = pieces.where(table, piece), kind_raised(table, piece, attempt.unit)
    modified = modifiers(table, piece, space)
    face = roll(table, "recruiting", side, leader=attempt.leader, section="8.41")
    steps = steps_of(table, kind, face + sum(modified.values()))
    placed = put_down(table, side, piece, kind, steps, attempt.split or FULL)
    table.tell(
        "recruited",
        power=side,
        leader=attempt.leader,
        space=space,
        unit=kind,
        roll=face,
        modifiers=modified,
        modified=face + sum(modified.values()),
        steps=steps,
        units=pieces.described(table, placed),
        section="8.411",
    )
    if placed:
        control.violate(table, space, side)  # INT-19
        wallenstein.recruited(table, piece, len(placed))
    return steps


def units_of(steps: int, split: str) -> list[bool]:
    """8.411: the units that steps become: for each whether it is reduced. All steps are used."""
    full = {FULL: steps // STEPS_OF_A_UNIT, REDUCED: 0, MIXED: min(1, steps // STEPS_OF_A_UNIT)}[split]
    return [False] * full + [True] * (steps - STEPS_OF_A_UNIT * full)


def put_down(table: Table, side: str, leader: str, kind: str, steps: int, split: str) -> list[str]:
    """8.411 to 8.42: the units are set down where their recruiter is; those for which there is no counter or no room in
    the stack are not recruited."""
    space, inside = pieces.where(table, leader), pieces.is_inside(table, leader)
    placed: list[str] = []
    for reduced in units_of(steps, split):
        there = pieces.stack(table, space, side)
        full_stack = sum(map(pieces.is_unit, there)) >= table.kit.constants["stacking"]
        if full_stack or nations.conflict(table, there, [kind]) is not None:
            break
        piece = pieces.place(table, kind, space, reduced=reduced, inside=inside, why="recruited", section="8.42")
        if piece is None:
            break
        placed.append(piece)
    return placed


USES = (Recruit,)
ORDERS: tuple[type[Order], ...] = (RecruitMore, Stop)
