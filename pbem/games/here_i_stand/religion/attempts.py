"""18.2, 18.3, 18.4: Reformation and Counter-Reformation attempts, and the bonuses of debaters that help them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from pbem.games.here_i_stand.cards.common import commit, occupied, uncommitted
from pbem.games.here_i_stand.religion import church
from pbem.games.here_i_stand.religion.conversion import (
    ALL,
    CATHOLIC,
    ENGLAND,
    PAPACY,
    PROTESTANT,
    base_dice,
    convert,
    eligible,
    in_zone,
    is_home,
    other_side,
    within,
)
from pbem.games.reformation import marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.choices import ChooseDebater
from pbem.games.reformation.forces import LEADER
from pbem.games.reformation.ground import in_unrest, religion, set_unrest, space_of
from pbem.table.asking import Ask, Pass, Stop
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

REFORMATION, COUNTER_REFORMATION = "reformation", "counter_reformation"
AUGSBURG_CARD, PRINTING_CARD = 39, 90


# --- bonuses of debaters (18.2) ---


def bonus_row(table: Table, debater: str) -> Any:
    """What the kit says of a debater."""
    return table.kit.tables["debaters"][debater]


def bonus_used(table: Table, power: str) -> bool:
    """18.2: whether a power has used its one bonus of the impulse for attempts or translation."""
    return marks.noted(table, "impulse", "debater_bonus", power)


def use_bonus(table: Table, debater: str, *, for_faith: bool = True) -> None:
    """18.2: a debater is committed for his bonus; `for_faith`: it counts as the power's one bonus of the impulse."""
    power = bonus_row(table, debater)["power"]
    commit(table, debater, why="bonus", section="18.2")
    table.tell("debater_bonus", power=power, debater=debater, section="18.2")
    if for_faith:
        marks.note(table, "impulse", "debater_bonus", power)


def check_bonus(table: Table, power: str, debater: str, kind: str) -> None:
    """18.2: raise `Refused` unless the power may use the debater's bonus of this kind now.

    The kinds are those of the kit. Bonuses of kind ``jesuit_university`` do not count to the one of the impulse.
    """
    row = bonus_row(table, debater)
    if row["power"] != power:
        raise Refused("debater_not_yours", "18.2", debater=debater)
    if row["bonus"] != kind:
        raise Refused("no_such_bonus", "18.2", debater=debater)
    if not uncommitted(table, debater):
        raise Refused("debater_committed", "18.2", debater=debater)
    if kind != "jesuit_university" and bonus_used(table, power):
        raise Refused("bonus_used", "18.2")


def bonus_reaches(table: Table, debater: str, space: str) -> bool:
    """18.2: whether a debater's bonus for attempts applies to a target."""
    row, constants = bonus_row(table, debater), table.kit.constants
    if debater in constants["bonus_on_kind"]:
        return atlas(table).spaces[space]["kind"] == constants["bonus_on_kind"][debater]
    if row["bonus_homes"]:
        return is_home(table, space, row["bonus_homes"])
    centre = row["bonus_centre"]
    if debater in constants["bonus_near_leader"]:
        centre = space_of(table.board.pieces[LEADER + constants["bonus_near_leader"][debater]]["at"])
    return centre in atlas(table).spaces and within(table, centre, row["bonus_radius"], space)


def helpers(table: Table, power: str, kind: str, space: str) -> list[str]:
    """The debaters whose bonus a power could use now for an attempt on a space."""
    if bonus_used(table, power):
        return []
    return [
        debater
        for debater, row in table.kit.tables["debaters"].items()
        if row["power"] == power
        and row["bonus"] == kind
        and uncommitted(table, debater)
        and bonus_reaches(table, debater, space)
    ]


# --- a series of attempts ---


@dataclass
class Series:
    """The attempts that one source gives: JSON values only, they are the context of the questions."""

    kind: str
    source: str
    zone: str
    """The language zone that is targeted, or ``all``."""
    within: bool
    homes: str | None
    bonus_dice: int
    die_modifier: int
    bonus_allowed: bool
    helper: str | None = None
    """The debater whose bonus helps these attempts."""
    left: int = 0

    @property
    def side(self) -> str:
        return PROTESTANT if self.kind == REFORMATION else CATHOLIC

    @property
    def owner(self) -> str:
        """The power whose debaters may help."""
        return PROTESTANT if self.kind == REFORMATION else PAPACY


def _series(table: Table, kind: str, source: str, zone: str | None, number: int | None, helper: str | None) -> Series:
    row = table.kit.tables["attempts"][source]
    least = table.options["placards_attempts"] if source == "affair_of_the_placards" else row["attempts"]
    return Series(
        kind=kind,
        source=source,
        zone=zone or row["zone"] or ALL,
        within=row["within"],
        homes=row["homes"],
        bonus_dice=row["bonus_dice"],
        die_modifier=row["die_modifier"],
        bonus_allowed=source != "ninety_five_theses" or table.options["debater_bonus_in_theses"],
        helper=helper,
        left=least if number is None else number,
    )


def attempted(table: Table, side: str, space: str) -> bool:
    """18.3, 18.4: whether a space has been the target of such an attempt in this impulse."""
    return marks.noted(table, "impulse", f"attempted:{side}", space)


def why_no_target(table: Table, space: str, series: Series) -> Refused | None:
    """18.3, 18.4 step 1: why a space cannot be the next target of a series; None when it can."""
    if religion(table, space) != other_side(series.side):
        return Refused("not_of_religion", space=space, religion=other_side(series.side))
    if not eligible(table, space, series.side):
        return Refused("out_of_reach_of_religion", space=space, religion=series.side)
    if attempted(table, series.side, space):
        return Refused("attempted_already", space=space)
    if series.within and not in_zone(table, space, series.zone):
        return Refused("outside_the_zone", space=space, zone=series.zone)
    if series.homes and not is_home(table, space, [series.homes]):
        return Refused("no_home_space", space=space, owner=series.homes)
    return None


def targets(table: Table, series: Series) -> list[str]:
    """The spaces that the next attempt of a series may target, in the order of the kit."""
    return [space for space in atlas(table).spaces if why_no_target(table, space, series) is None]


def has_target(table: Table, kind: str, source: str, zone: str | None = None) -> bool:
    """Whether a source of attempts would find any target now; actions and cards ask before they are paid for."""
    series = _series(table, kind, source, zone, None, None)
    return any(why_no_target(table, space, series) is None for space in atlas(table).spaces)


class _Target(Order):
    """Base of the two orders that name a target."""

    section: ClassVar[str] = ""
    space: str
    debater: str | None

    def check(self, table: Table, question: Question) -> None:
        series = Series(**question.context)
        reason = why_no_target(table, self.space, series)
        if reason:
            raise reason.under(self.section)
        if self.debater:
            if question.power != series.owner:
                raise Refused("bonus_of_another", "18.2")
            if series.helper or not series.bonus_allowed:
                raise Refused("no_bonus_now", "18.2")
            check_bonus(table, question.power, self.debater, series.kind)
            if not bonus_reaches(table, self.debater, self.space):
                raise Refused("bonus_out_of_reach", "18.2", debater=self.debater, space=self.space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        series = Series(**question.context)
        with_bonus = series.bonus_allowed and not series.helper and question.power == series.owner
        for space in targets(table, series):
            yield cls(space=space)
            if with_bonus:
                for debater in helpers(table, question.power, series.kind, space):
                    yield cls(space=space, debater=debater)


class Reform(_Target):
    """Name the target of a Reformation attempt; a debater's bonus may help, in the whole series where it reaches."""

    line = "REFORM {space} [WITH {debater}]"
    section = "18.3"
    space = Name("space")
    debater = Name("debater", optional=True)


class Restore(_Target):
    """Name the target of a Counter-Reformation attempt; a debater's bonus may help, as in the whole series."""

    line = "RESTORE {space} [WITH {debater}]"
    section = "18.4"
    space = Name("space")
    debater = Name("debater", optional=True)


def _best_target(table: Table, question: Question) -> Order:
    """Silence: the target with the greatest surplus of dice, those inside the zone first; no bonus is spent."""
    series = Series(**question.context)

    def worth(space: str) -> tuple[bool, int]:
        own = sum(base_dice(table, space, series.side).values())
        return in_zone(table, space, series.zone), own - sum(base_dice(table, space, other_side(series.side)).values())

    kind = Reform if series.kind == REFORMATION else Restore
    return kind(space=max(targets(table, series), key=worth))


def _ask_target(table: Table, power: str, series: Series, optional: bool) -> Procedure:
    """Step 1; value: the target, or None where the power makes no more attempts."""
    kind: type[Order] = Reform if series.kind == REFORMATION else Restore
    answer = yield Ask(
        power,
        "reformation_target",
        [kind, Stop] if optional else [kind],
        _best_target,
        context=asdict(series),
        section=kind.section,  # type: ignore[attr-defined]
    )
    if isinstance(answer, Stop):
        return None
    if answer.debater:
        use_bonus(table, answer.debater)
        series.helper = answer.debater
    return answer.space


def _ask_helper(table: Table, power: str, series: Series, space: str) -> Procedure:
    """18.2: in a series that another power directs, the debaters' own power decides on a bonus for a target."""

    def could(table: Table) -> list[str]:
        return helpers(table, series.owner, series.kind, space)

    if power == series.owner or series.helper or not series.bonus_allowed or not could(table):
        return
    answer = yield Ask(
        series.owner,
        "debater_bonus",
        [ChooseDebater, Pass],
        Pass(),
        context={"space": space, "source": series.source, "left": series.left},
        section="18.2",
        among=could,
    )
    if isinstance(answer, ChooseDebater):
        use_bonus(table, answer.debater)
        series.helper = answer.debater


def _helper_dice(table: Table, series: Series, space: str) -> int:
    """The dice that the helping debater's bonus adds on a target."""
    if not series.helper:
        return 0
    row = bonus_row(table, series.helper)
    if row["bonus"] != series.kind or not bonus_reaches(table, series.helper, space):
        return 0
    return row["bonus_number"]


# --- Reformation attempts (18.3) ---


def reformation_attempts(
    table: Table,
    source: str,
    *,
    power: str = PROTESTANT,
    zone: str | None = None,
    number: int | None = None,
    helper: str | None = None,
    optional: bool = True,
) -> Procedure:
    """18.3: the Reformation attempts of a source, a row of the kit's table ``attempts``.

    `power` names the targets (England for its own treatise); `zone` is the targeted zone where the source leaves it
    open; `number` how many where the kit cannot say (Marburg Colloquy); `helper` a debater committed already whose
    bonus belongs to the source; `optional`: whether the power may stop early (option `attempts_may_stop`).
    Value: the spaces converted.
    """
    series = _series(table, REFORMATION, source, zone, number, helper)
    converted = []
    table.tell(
        "attempts", power=power, source=source, zone=series.zone, number=series.left, kind=REFORMATION, section="18.3"
    )
    while series.left > 0 and targets(table, series):
        space = yield from _ask_target(table, power, series, optional and table.options["attempts_may_stop"])
        if space is None:
            break
        yield from _ask_helper(table, power, series, space)
        if reformation_attempt(table, power, series, space):
            converted.append(space)
        series.left -= 1
    return converted


def reformation_attempt(table: Table, power: str, series: Series, space: str) -> bool:
    """18.3 steps 2 to 8: one attempt. Value: whether the space turned."""
    constants = table.kit.constants
    marks.note(table, "impulse", f"attempted:{PROTESTANT}", space)
    inside_zone = in_zone(table, space, series.zone)
    table.tell("attempt", kind=REFORMATION, power=power, space=space, in_zone=inside_zone, section="18.3")
    dice = base_dice(table, space, PROTESTANT)
    if marks.mark(table, "turn", "printing_press"):
        dice["printing_press"] = table.kit.tables["card_numbers"][f"{PRINTING_CARD}:bonus_dice"]["value"]
    if series.bonus_dice:
        dice[series.source] = series.bonus_dice
    if helping := _helper_dice(table, series, space):
        dice["debater"] = helping
    modifier = series.die_modifier if inside_zone else 0
    rolled = table.roll(
        REFORMATION, power, sum(dice.values()), space=space, sources=dice, modifier=modifier, section="18.3"
    )
    best = max(rolled) + modifier
    if inside_zone and best >= constants["reformation_automatic"]:
        return _reformed(table, space, "automatic", best, None)
    against = base_dice(table, space, CATHOLIC)
    number = sum(against.values())
    answer = max(table.roll(f"{REFORMATION} defence", PAPACY, number, space=space, sources=against, section="18.3"))
    if best > answer or (best == answer and inside_zone):
        return _reformed(table, space, "tie" if best == answer else "won", best, answer)
    table.tell("attempt_failed", kind=REFORMATION, space=space, best=best, against=answer, section="18.3")
    _carlstadt(table, series, space)
    return False


def _reformed(table: Table, space: str, how: str, best: int, against: int | None) -> bool:
    table.tell("attempt_succeeded", kind=REFORMATION, space=space, how=how, best=best, against=against, section="18.3")
    convert(table, space, PROTESTANT, why=REFORMATION, section="18.3")
    return True


def _carlstadt(table: Table, series: Series, space: str) -> None:
    """18.3 step 8, 12.4: a failed attempt in the German zone with Carlstadt's bonus puts unrest on an empty target.

    On any target of his with option `carlstadts_unrest` ``any``.
    """
    carlstadt = series.source == "treatise_carlstadt" and in_zone(table, space, series.zone)
    barred = table.options.get("carlstadts_unrest", "unoccupied") == "unoccupied" and occupied(table, space)
    if carlstadt and not barred and not in_unrest(table, space):
        set_unrest(table, space, True, why="treatise_carlstadt", section="18.3")


# --- Counter-Reformation attempts (18.4) ---


def counter_reformation_attempts(
    table: Table, source: str, *, zone: str | None = None, helper: str | None = None, optional: bool = True
) -> Procedure:
    """18.4: the Counter-Reformation attempts of a source, a row of the kit's table ``attempts``; all by the Papacy.

    Parameters as of `reformation_attempts`. Value: the spaces converted.
    """
    series = _series(table, COUNTER_REFORMATION, source, zone, None, helper)
    converted = []
    table.tell(
        "attempts",
        power=PAPACY,
        source=source,
        zone=series.zone,
        number=series.left,
        kind=COUNTER_REFORMATION,
        section="18.4",
    )
    tetzel = source == "burn_books_tetzel"
    while series.left > 0 and targets(table, series):
        space = yield from _ask_target(table, PAPACY, series, optional and table.options["attempts_may_stop"])
        if space is None:
            break
        how = counter_reformation_attempt(table, series, space)
        if how:
            converted.append(space)
        if tetzel and (how != "automatic" or table.options["tetzel_on_automatic_success"]):
            # 18.4 step 9: once for the use of his bonus, with its first attempt.
            church.st_peters(table, bonus_row(table, "tetzel")["bonus_number"], why="burn_books", section="18.4")
            tetzel = False
        series.left -= 1
    return converted


def pope_wins_ties(table: Table) -> bool:
    """18.4: whether the ruler of the Papacy is one who wins ties and has automatic success."""
    return table.kit.tables["rulers"][table.board.state["ruler"][PAPACY]]["wins_counter_reformation_ties"]


def counter_reformation_attempt(table: Table, series: Series, space: str) -> str | None:
    """18.4 steps 2 to 8: one attempt. Value: how it succeeded (``automatic, won, tie``), or None when it failed."""
    marks.note(table, "impulse", f"attempted:{CATHOLIC}", space)
    favoured = in_zone(table, space, series.zone) and pope_wins_ties(table)
    table.tell("attempt", kind=COUNTER_REFORMATION, power=PAPACY, space=space, in_zone=favoured, section="18.4")
    dice = base_dice(table, space, CATHOLIC)
    if helping := _helper_dice(table, series, space):
        dice["debater"] = helping
    modifier = series.die_modifier
    if marks.mark(table, "turn", "augsburg_confession"):
        modifier -= table.kit.tables["card_numbers"][f"{AUGSBURG_CARD}:die_modifier"]["value"]
    rolled = table.roll(
        COUNTER_REFORMATION, PAPACY, sum(dice.values()), space=space, sources=dice, modifier=modifier, section="18.4"
    )
    best = max(rolled) + modifier
    if favoured and best >= table.kit.constants["counter_reformation_automatic"]:
        return _restored(table, space, "automatic", best, None)
    against = base_dice(table, space, PROTESTANT)
    number, what = sum(against.values()), f"{COUNTER_REFORMATION} defence"
    answer = max(table.roll(what, PROTESTANT, number, space=space, sources=against, section="18.4"))
    if best > answer or (best == answer and favoured):
        return _restored(table, space, "tie" if best == answer else "won", best, answer)
    table.tell("attempt_failed", kind=COUNTER_REFORMATION, space=space, best=best, against=answer, section="18.4")
    return None


def _restored(table: Table, space: str, how: str, best: int, against: int | None) -> str:
    table.tell(
        "attempt_succeeded", kind=COUNTER_REFORMATION, space=space, how=how, best=best, against=against, section="18.4"
    )
    convert(table, space, CATHOLIC, why=COUNTER_REFORMATION, section="18.4")
    return how


# --- what an action or a card starts ---


def publish_treatise(table: Table, power: str, zone: str, debater: str | None = None) -> Procedure:
    """18.1: a treatise targets one zone; with Carlstadt or Calvin there are three attempts, all within his zone.

    England's names its targets itself; the Protestant decides on bonuses.
    """
    table.tell("treatise", power=power, zone=zone, debater=debater, section="18.1")
    if debater:
        use_bonus(table, debater)
    source = f"treatise_{debater}" if debater else "treatise_england" if power == ENGLAND else "treatise"
    return (yield from reformation_attempts(table, source, power=power, zone=zone, helper=debater))


def burn_books(table: Table, zone: str | None, debater: str | None = None) -> Procedure:
    """18.1: books are burnt in one zone; with Cajetan three attempts within it, with Caraffa three in any zones."""
    table.tell("burn_books", power=PAPACY, zone=zone, debater=debater, section="18.1")
    if debater:
        use_bonus(table, debater)
    source = f"burn_books_{debater}" if debater else "burn_books"
    return (yield from counter_reformation_attempts(table, source, zone=zone, helper=debater))


def forced_burning(table: Table, zone: str) -> Procedure:
    """21.3: books are burnt in a zone without an action of the Papacy; it may add a debater's bonus."""

    def could(table: Table) -> list[str]:
        return [
            debater
            for debater, row in table.kit.tables["debaters"].items()
            if row["bonus"] == "burn_books" and uncommitted(table, debater) and not bonus_used(table, PAPACY)
        ]

    debater = None
    if could(table):
        answer = yield Ask(
            PAPACY,
            "debater_bonus",
            [ChooseDebater, Pass],
            Pass(),
            context={"source": "burn_books", "zone": zone},
            section="18.2",
            among=could,
        )
        debater = answer.debater if isinstance(answer, ChooseDebater) else None
    source = f"burn_books_{debater}" if debater else "burn_books"
    open_zone = table.kit.tables["attempts"][source]["zone"]
    return (yield from burn_books(table, None if open_zone else zone, debater))


ORDERS: tuple[type[Order], ...] = (Reform, Restore)
