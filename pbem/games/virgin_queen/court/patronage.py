"""22: artists and scientists: who is sponsored, phase 7, science bonuses.

Pieces: ``artist:<id>``, ``scientist:<id>`` at ``available``, ``sponsored:<power>`` (mark ``cp``, their slot), ``off``,
``removed``; ``award:<side>:<type>:<vp>:<n>``, the VP markers, at ``display`` or a power. State: ``science`` {bonus:
power}, ``prague_centre`` true while the Empire has the marker of its cultural centre, ``isabella`` the power of
Isabella's husband. The mark ``turn:sponsored`` lists ``artist:<power>`` and ``scientist:<power>`` for each that has one
of the kind in this turn, by whatever means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.reformation.action import Action
from pbem.games.reformation.marks import note, noted
from pbem.games.virgin_queen.court.espionage import check_cp
from pbem.games.virgin_queen.court.results import parts, result, ways
from pbem.games.virgin_queen.new_world import captains
from pbem.games.virgin_queen.places import AVAILABLE, DISPLAY, REMOVED
from pbem.games.virgin_queen.powers.majors import EMPIRE, OTTOMAN
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Ask, Keyword, choose
from pbem.table.orders import Many, Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import InOrder, Question

ARTIST, SCIENTIST = "artist", "scientist"
ITALIAN = "italian"
SPONSORED = "sponsored"
SECTION = {ARTIST: "22.1", SCIENTIST: "22.2"}
KINDS = (ARTIST, SCIENTIST)
SIDE = {ARTIST: "arts", SCIENTIST: "science"}


def happens(table: Table) -> bool:
    """Every turn has this phase."""
    return True


def row(table: Table, kind: str, one: str) -> Any:
    """What the kit says of an artist or scientist."""
    return table.kit.tables[f"{kind}s"][one]


def sponsored_by(power: str) -> str:
    """Where those are whom a power sponsors in this turn."""
    return f"{SPONSORED}:{power}"


# --- sponsoring ---


def available(table: Table, power: str, kind: str, *, italians: bool = False, own: bool = True) -> list[str]:
    """22: the artists or scientists that a power may sponsor: its own that are available; Italians by events only, and
    these alone where it is not its `own`."""
    whose = [one for one, counts in ((power, own), (ITALIAN, italians)) if counts]
    return [
        one
        for one, about in table.kit.tables[f"{kind}s"].items()
        if about["power"] in whose and table.board.pieces[f"{kind}:{one}"]["at"] == AVAILABLE
    ]


def why_not_sponsor(
    table: Table, power: str, kind: str, *, italians: bool = False, own: bool = True
) -> Refused | None:
    """22: why a power can sponsor no artist (scientist) now, or None: one a turn, by whatever means; one available."""
    if power in table.board.played_by:
        return Refused("not_by_activated", "3.2", power=power)
    if noted(table, "turn", SPONSORED, f"{kind}:{power}"):
        return Refused("sponsored_this_turn", SECTION[kind], kind=kind)
    if not available(table, power, kind, italians=italians, own=own):
        return Refused("nobody_to_sponsor", SECTION[kind], kind=kind)
    return None


def sponsor(
    table: Table,
    power: str,
    kind: str,
    cp: int,
    *,
    italians: bool = False,
    own: bool = True,
    drawn: int = 1,
    section: str | None = None,
) -> Procedure:
    """22: one by chance out of all that are available, of whatever type, goes to the slot of the CP.

    `drawn`: how many are drawn, of whom the power keeps one (PATRON OF ARTS AND SCIENCES). Nothing happens where
    `why_not_sponsor` has a reason. Value: who is sponsored, or None.
    """
    where = section or SECTION[kind]
    if why_not_sponsor(table, power, kind, italians=italians, own=own):
        return None
    note(table, "turn", SPONSORED, f"{kind}:{power}")
    left, drawn_people = available(table, power, kind, italians=italians, own=own), []
    for _ in range(min(drawn, len(left))):
        one = table.pick(kind, left, power=power, section=where)
        left.remove(one)
        drawn_people.append(one)
    kept = yield from choose(table, power, kind, lambda t: tuple(drawn_people), kind="patronage", section=where)
    table.tell("sponsored", power=power, kind=kind, who=kept, cp=cp, section=where)
    table.put(f"{kind}:{kept}", sponsored_by(power), cp=cp, why="sponsored", section=where)
    return kept


class _Patronize(Action):
    """Base of the two actions."""

    kind = ""
    number = Number(1, 9)

    def cost(self, table: Table, power: str) -> int | None:
        """22: what is spent, which is the slot."""
        return None if super().cost(table, power) is None else self.number

    def check_action(self, table: Table, power: str) -> None:
        check_cp(table, "patronage", self.number)
        reason = why_not_sponsor(table, power, self.kind)
        if reason:
            raise reason

    def procedure(self, table: Table, power: str) -> Procedure:
        """22."""
        yield from sponsor(table, power, self.kind, self.number)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        if why_not_sponsor(table, question.power, cls.kind) is None:
            constants = table.kit.constants
            for cp in range(constants["patronage_cp_least"], constants["patronage_cp_most"] + 1):
                yield cls(number=cp)


class PatronizeArtist(_Patronize):
    """Sponsor an artist, by chance out of yours, for 2 to 4 CP, once a turn."""

    action = "patronize_artist"
    kind = ARTIST
    line = "PATRONIZE ARTIST FOR {number} CP"
    number = Number(1, 9)


class PatronizeScientist(_Patronize):
    """Sponsor a scientist, by chance out of yours, for 2 to 4 CP, once a turn."""

    action = "patronize_scientist"
    kind = SCIENTIST
    line = "PATRONIZE SCIENTIST FOR {number} CP"
    number = Number(1, 9)


# --- phase 7 ---


def sponsored(table: Table, kind: str) -> list[tuple[str, str]]:
    """22: (power, artist or scientist) of this turn in the order of evaluation: by printed value from the highest,
    then in impulse order."""
    order = table.board.powers
    people = [
        (power, one)
        for power in order
        for one in table.kit.tables[f"{kind}s"]
        if table.board.pieces[f"{kind}:{one}"]["at"] == sponsored_by(power)
    ]
    return sorted(people, key=lambda pair: (-row(table, kind, pair[1])["value"], order.index(pair[0])))


def modifiers(table: Table, power: str, kind: str, one: str) -> dict[str, int]:
    """22.1, 22.2: what is added to the two dice, by what it is for."""
    constants, state = table.kit.constants, table.board.state
    cp = table.board.pieces[f"{kind}:{one}"]["cp"]
    values = {
        "value": row(table, kind, one)["value"],
        "cp": result(table, "patronage_cp", cp)["add"],
        "prague": constants["patronage_prague"] if power == EMPIRE and state.get("prague_centre") else 0,
        "isabella": constants["patronage_isabella"] if state.get("isabella") == power else 0,
        "observatory": (
            constants["patronage_observatory"]
            if kind == SCIENTIST and state.get("science", {}).get("observatory") == power
            else 0
        ),
    }
    return {name: number for name, number in values.items() if number}


def scientists(table: Table) -> Procedure:
    """22.2: the work of each scientist sponsored in this turn; who has a choice is asked together with the others, and
    their answers are taken up in the order of evaluation: a bonus that is taken is gone."""
    open_ways: dict[str, tuple[str, list[str]]] = {}
    for power, one in sponsored(table, SCIENTIST):
        offered = _work(table, power, SCIENTIST, one)
        if offered:
            open_ways[power] = (one, offered)
    questions = [
        _award_question(power, one, offered)
        for power, (one, offered) in open_ways.items()
        if _has_choice(table, power, offered)
    ]
    answers = dict((yield InOrder(questions))) if questions else {}
    for power, (one, offered) in open_ways.items():
        won = yield from _science_award(table, power, one, offered, answers.get(power))
        if won:
            _leaves(table, SCIENTIST, one, "award")
        else:
            _goes_back(table, SCIENTIST, one)


def artists(table: Table) -> Procedure:
    """22.1: the work of each artist sponsored in this turn."""
    for power, one in sponsored(table, ARTIST):
        offered = _work(table, power, ARTIST, one)
        if not offered:
            continue
        if claim(table, power, ARTIST, row(table, ARTIST, one)["type"], parts(offered[0])["vp"]):
            _leaves(table, ARTIST, one, "award")
        else:
            _goes_back(table, ARTIST, one)
    return
    yield


def _work(table: Table, power: str, kind: str, one: str) -> list[str]:
    """22.1, 22.2: two dice and the modifiers: out of the game, or back to those available, or an award: its ways."""
    section = SECTION[kind]
    more = modifiers(table, power, kind, one)
    dice = table.roll(kind, power, 2, who=one, sources=more, section=section)
    total = sum(dice) + sum(more.values())
    offered = ways(table, kind, total)
    table.tell("work_evaluated", power=power, kind=kind, who=one, total=total, section=section)
    if offered == ["gone"] or (offered == ["weak_gone"] and row(table, kind, one)["value"] == 1):
        _leaves(table, kind, one, "no_work")
        return []
    if offered in (["back"], ["weak_gone"]):
        _goes_back(table, kind, one)
        return []
    return offered


def _goes_back(table: Table, kind: str, one: str) -> None:
    table.put(f"{kind}:{one}", AVAILABLE, why="goes_back", section=SECTION[kind])


def _leaves(table: Table, kind: str, one: str, why: str) -> None:
    """Out of the game; Le Testu's marker as a sea captain with him (22.2, GB-17)."""
    table.put(f"{kind}:{one}", REMOVED, why=why, section=SECTION[kind])
    captain = captains.CAPTAIN + one
    if kind == SCIENTIST and captain in table.board.pieces and table.board.pieces[captain]["at"] != REMOVED:
        captains.remove(table, one, "scientist_leaves", SECTION[kind])


# --- awards ---


def best_marker(table: Table, kind: str, type: str, vp: int) -> str | None:
    """22.1, 22.2: the best VP marker left that does not exceed an award: of the artist's type, or for any."""
    side, markers = SIDE[kind], []
    for piece in table.board.pieces_at(DISPLAY):
        _, of_side, of_type, worth, _ = piece.split(":")
        if of_side == side and of_type in (type, "any") and int(worth) <= vp:
            markers.append((-int(worth), piece))
    return min(markers)[1] if markers else None


def claim(table: Table, power: str, kind: str, type: str, vp: int) -> bool:
    """22: a power takes the best VP marker up to an award. False where there is none."""
    piece = best_marker(table, kind, type, vp)
    if piece is None:
        return False
    table.put(piece, power, why="award", section=SECTION[kind])
    score.award(table, power, "patronage", int(piece.split(":")[3]), section=SECTION[kind])
    return True


POINTS, BONUS, BOTH = "points", "bonus", "points_and_bonus"


def _science_ways(table: Table, power: str, offered: Sequence[str]) -> dict[str, str]:
    """22.2: the ways that can be taken, by the words for what they bring now: without a VP marker a bonus has to be
    taken, and the other way round; what offers a part that is gone only where nothing whole is left."""
    bonus_left = bool(useful_bonuses(table, power))
    whole: dict[str, str] = {}
    in_part: dict[str, str] = {}
    for way in offered:
        words = parts(way)
        vp = "vp" in words and best_marker(table, SCIENTIST, "any", words["vp"]) is not None
        bonus = "bonus" in words and bonus_left
        if not (vp or bonus):
            continue
        word = BOTH if vp and bonus else POINTS if vp else BONUS
        kept = whole if vp == ("vp" in words) and bonus == ("bonus" in words) else in_part
        kept.setdefault(word, way)
    return whole or in_part


def _has_choice(table: Table, power: str, offered: list[str]) -> bool:
    """Whether there is anything to decide: two ways, or a bonus out of several."""
    open_ways = _science_ways(table, power, offered)
    takes_bonus = any(word != POINTS for word in open_ways)
    return len(open_ways) > 1 or (takes_bonus and len(useful_bonuses(table, power)) > 1)


class Award(Order):
    """Say what your scientist's work brings you, and which science bonus, the one that you like most first."""

    line = "AWARD {option} [WITH {bonuses}]"
    option = Keyword()
    bonuses = Many(Name("science_bonus"), optional=True)

    def check(self, table: Table, question: Question) -> None:
        offered = _science_ways(table, question.power, question.context["ways"])
        if self.option not in offered:
            lines = [f"AWARD {word.replace('_', ' ').upper()}" for word in offered]
            raise Refused("not_to_be_chosen", "22.2", lines, what="option", value=self.option)
        if self.bonuses and self.option == POINTS:
            raise Refused("no_bonus_in_that", "22.2")
        useful = useful_bonuses(table, question.power)
        for bonus in self.bonuses or ():
            if bonus not in useful or self.bonuses.count(bonus) > 1:
                raise Refused("not_to_be_chosen", "22.2", useful, what="science_bonus", value=bonus)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        useful = useful_bonuses(table, question.power)
        for word in _science_ways(table, question.power, question.context["ways"]):
            if word == POINTS:
                yield cls(option=word)
                continue
            for at in range(len(useful)):
                yield cls(option=word, bonuses=useful[at:] + useful[:at])


def _award_question(power: str, scientist: str, offered: list[str]) -> Question:
    return Ask(
        power,
        "patronage",
        [Award],
        lambda t, q: next(Award.candidates(t, q)),
        context={"who": scientist, "ways": list(offered)},
        section="22.2",
    )


def _science_award(
    table: Table, power: str, scientist: str, offered: list[str], order: Award | None
) -> Procedure:
    """22.2: the player splits the award between VP and a bonus. What others took meanwhile is gone: another way, or the
    next bonus that was named, stands in; who named none that is left is asked. Value: whether there was anything."""
    open_ways = _science_ways(table, power, offered)
    if not open_ways:
        return False
    word = order.option if order is not None and order.option in open_ways else next(iter(open_ways))
    words = parts(open_ways[word])
    if "vp" in words:
        claim(table, power, SCIENTIST, "any", words["vp"])
    if word != POINTS:
        wanted = [one for one in (order.bonuses if order else None) or () if one in useful_bonuses(table, power)]
        if wanted:
            _take_bonus(table, power, wanted[0], "22.2")
        else:
            yield from pick_bonus(table, power, who=scientist)
    return True


def is_useful(table: Table, power: str, bonus: str) -> bool:
    """22.2: whether a science bonus can be of use to a power; Excavation no more once the canal is built (23.1)."""
    useful = table.kit.tables["science_bonuses"][bonus]["useful_to"]
    if bonus == "excavation" and (power != OTTOMAN or table.board.state.get("suez")):
        return False
    return "all" in useful or power in useful


def useful_bonuses(table: Table, power: str) -> list[str]:
    """22.2: the bonuses that nobody has and that can be of use to a power, in the order of the kit."""
    taken = table.board.state.get("science", {})
    return [one for one in table.kit.tables["science_bonuses"] if one not in taken and is_useful(table, power, one)]


def pick_bonus(table: Table, power: str, section: str = "22.2", who: str | None = None) -> Procedure:
    """22.2, 11: a power takes a science bonus that is useful to it and nobody has; `who`: for whose work."""
    bonus = yield from choose(
        table,
        power,
        "science_bonus",
        lambda t: useful_bonuses(t, power),
        kind="patronage",
        section=section,
        who=who,
    )
    if bonus is not None:
        _take_bonus(table, power, bonus, section)


def _take_bonus(table: Table, power: str, bonus: str, section: str) -> None:
    table.tell("science_bonus", power=power, science_bonus=bonus, section=section)
    held = {**table.board.state.get("science", {}), bonus: power}
    table.set("science", dict(sorted(held.items())), why="science_bonus", section=section)


SEGMENTS = (("artists", artists), ("scientists", scientists))
ACTIONS: tuple[type[Order], ...] = (PatronizeArtist, PatronizeScientist)
ORDERS: tuple[type[Order], ...] = (Award,)
