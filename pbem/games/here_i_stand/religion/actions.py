"""18.1: the religious actions, and the boxes of translation.

The rules behind them are in `attempts`, `debates`, `church`, `conversion`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.here_i_stand.cards.common import bonus_vp, uncommitted
from pbem.games.here_i_stand.places import OFF, REMOVED
from pbem.games.here_i_stand.religion import attempts, church, debates
from pbem.games.here_i_stand.religion.attempts import reformation_attempts
from pbem.games.here_i_stand.religion.conversion import ENGLAND, PAPACY, PROTESTANT
from pbem.games.reformation.action import Action
from pbem.table.orders import Choice, Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

MOST_CP = 60
"""More CP than an order can ever name: the boxes of the tracks bound it."""


class PublishTreatise(Action):
    """Publish a treatise: two Reformation attempts that target one language zone; three with Carlstadt or Calvin."""

    action = "publish_treatise"
    line = "PUBLISH TREATISE IN {language} [WITH {debater}]"
    language = Name("language")
    debater = Name("debater", optional=True)

    def check_action(self, table: Table, power: str) -> None:
        if power == ENGLAND:
            if self.debater:
                raise Refused("bonus_by_protestant", "18.2")
            if self.language != "english":
                raise Refused("only_english_zone", "18.1")
            if table.board.pieces["reformer:cranmer"]["at"] in (OFF, REMOVED):
                raise Refused("cranmer_not_on_map", "18.1")
        if self.debater:
            attempts.check_bonus(table, power, self.debater, "treatise")
            if attempts.bonus_row(table, self.debater)["language"] != self.language:
                zone = attempts.bonus_row(table, self.debater)["language"]
                raise Refused("attempts_in_zone_of_debater", "18.3", zone=zone, debater=self.debater)
        source = f"treatise_{self.debater}" if self.debater else "treatise"
        if not attempts.has_target(table, attempts.REFORMATION, source, self.language):
            raise Refused("no_space_to_convert", "18.3")

    def procedure(self, table: Table, power: str) -> Procedure:
        """18.1, 18.3."""
        yield from attempts.publish_treatise(table, power, self.language, self.debater)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for language in table.kit.tables["languages"]:
            yield cls(language=language)
            for debater, row in table.kit.tables["debaters"].items():
                if row["bonus"] == "treatise" and row["language"] == language and uncommitted(table, debater):
                    yield cls(language=language, debater=debater)


class Translate(Action):
    """Translate Scripture for 1 CP a box; a debater adds one box in his language, once an impulse."""

    action = "translate_scripture"
    line = "TRANSLATE {work} INTO {language} [FOR {number} CP] [WITH {debater}]"
    work = Choice("new testament", "bible")
    language = Name("language")
    number = Number(1, MOST_CP, optional=True)
    debater = Name("debater", optional=True)

    @property
    def track(self) -> str:
        return f"{self.work.replace(' ', '_')}_{self.language}"

    def cost(self, table: Table, power: str) -> int | None:
        """18.1: 1 CP a box."""
        each = super().cost(table, power)
        return None if each is None else each * (self.number or 1)

    def check_action(self, table: Table, power: str) -> None:
        row = table.kit.tables["translations"].get(self.track)
        if row is None:
            raise Refused("nothing_translated", "18.1", language=self.language)
        if row["needs"] and not is_translated(table, row["needs"]):
            raise Refused("new_testament_first", "18.1", language=self.language)
        left = boxes_left(table, self.track)
        if not left:
            raise Refused("translation_finished", "18.1", translation=self.track)
        if (self.number or 1) > left:
            raise Refused("translation_needs_less", "18.1", translation=self.track, left=left)
        if self.debater:
            attempts.check_bonus(table, power, self.debater, "translation")
            if bonus_track(table, self.debater) is None:
                raise Refused("translations_finished", "18.1", debater=self.debater)

    def procedure(self, table: Table, power: str) -> Procedure:
        """18.1, 18.2: the boxes that were paid for, then the one of the debater."""
        if self.debater:
            attempts.use_bonus(table, self.debater)
        yield from translate(table, self.track, self.number or 1)
        track = bonus_track(table, self.debater) if self.debater else None
        if track:
            yield from translate(table, track, table.kit.constants["translation_bonus_boxes"])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        most = table.board.state.get("cp_left", 0)
        helping = [
            debater
            for debater, row in table.kit.tables["debaters"].items()
            if row["bonus"] == "translation" and uncommitted(table, debater)
        ]
        for row in table.kit.tables["translations"].values():
            work, language = row["kind"].replace("_", " "), row["language"]
            for number in sorted({1, most}) if most else ():
                for debater in (None, *helping):
                    yield cls(work=work, language=language, number=number, debater=debater)


def boxes_left(table: Table, track: str) -> int:
    """18.1: how many boxes a translation still needs."""
    return table.kit.tables["translations"][track]["boxes"] - table.board.value(track, PROTESTANT)


def is_translated(table: Table, track: str) -> bool:
    """18.1: whether a translation is finished."""
    return boxes_left(table, track) <= 0


def bonus_track(table: Table, debater: str) -> str | None:
    """18.1: the marker that a debater's bonus moves: the New Testament of his language, after it the Bible."""
    language = attempts.bonus_row(table, debater)["bonus_language"]
    for track, row in table.kit.tables["translations"].items():
        ready = not row["needs"] or is_translated(table, row["needs"])
        if row["language"] == language and ready and not is_translated(table, track):
            return track
    return None


def translate(table: Table, track: str, boxes: int) -> Procedure:
    """18.1: move a marker; as it reaches the last box its attempts follow at once, and the VP of a Bible."""
    row = table.kit.tables["translations"][track]
    table.count(track, PROTESTANT, min(boxes, boxes_left(table, track)), why="translation", section="18.1")
    if not is_translated(table, track):
        return
    table.tell("translated", power=PROTESTANT, work=row["kind"], language=row["language"], section="18.1")
    if row["vp"]:
        bonus_vp(table, PROTESTANT, row["vp"], why="translation", section="18.1")
    yield from reformation_attempts(table, row["kind"], zone=row["language"], number=row["attempts"])


class CallDebate(Action):
    """Call a theological debate in a language zone."""

    action = "call_debate"
    line = "CALL DEBATE IN {language}"
    language = Name("language")

    def check_action(self, table: Table, power: str) -> None:
        reason = debates.why_not(table, power, self.language)
        if reason:
            raise reason.under("18.1")

    def procedure(self, table: Table, power: str) -> Procedure:
        """18.5."""
        yield from debates.debate(table, power, self.language)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for language in debates.zones(table):
            yield cls(language=language)


class BuildSaintPeters(Action):
    """Build Saint Peter's, 1 CP a box; 5 boxes are 1 VP."""

    action = "build_st_peters"
    line = "BUILD SAINT PETER'S [FOR {number} CP]"
    number = Number(1, MOST_CP, optional=True)

    def cost(self, table: Table, power: str) -> int | None:
        """18.1: 1 CP a box."""
        each = super().cost(table, power)
        return None if each is None else each * (self.number or 1)

    def check_action(self, table: Table, power: str) -> None:
        left = church.boxes_left(table)
        if not left:
            raise Refused("saint_peters_finished", "18.1")
        if (self.number or 1) > left:
            raise Refused("saint_peters_takes_less", "18.1", left=left)

    def procedure(self, table: Table, power: str) -> Procedure:
        """18.1."""
        church.st_peters(table, self.number or 1)
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for number in range(1, table.board.state.get("cp_left", 0) + 1):
            yield cls(number=number)


class BurnBooks(Action):
    """Burn books: two Counter-Reformation attempts that target one language zone.

    With Cajetan three, all in the zone; with Caraffa three in any zones (name none); Tetzel gives 1 CP for St. Peter's.
    """

    action = "burn_books"
    line = "BURN BOOKS [IN {language}] [WITH {debater}]"
    language = Name("language", optional=True)
    debater = Name("debater", optional=True)

    def check_action(self, table: Table, power: str) -> None:
        if self.debater:
            attempts.check_bonus(table, power, self.debater, "burn_books")
        source = f"burn_books_{self.debater}" if self.debater else "burn_books"
        zone_open = table.kit.tables["attempts"][source]["zone"]
        if not self.language and not zone_open:
            raise Refused("name_the_zone", "18.1", hint="BURN BOOKS IN <language>")
        if self.language and zone_open:
            raise Refused("name_no_zone", "18.4")
        if not attempts.has_target(table, attempts.COUNTER_REFORMATION, source, self.language):
            raise Refused("no_space_to_convert", "18.4")

    def procedure(self, table: Table, power: str) -> Procedure:
        """18.1, 18.4."""
        yield from attempts.burn_books(table, self.language, self.debater)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        helping = [
            debater
            for debater, row in table.kit.tables["debaters"].items()
            if row["bonus"] == "burn_books" and uncommitted(table, debater)
        ]
        for language in (None, *table.kit.tables["languages"]):
            for debater in (None, *helping):
                yield cls(language=language, debater=debater)


class FoundUniversity(Action):
    """Found a Jesuit university on a Catholic space, for 3 CP, or 2 with Loyola."""

    action = "found_jesuit_university"
    line = "FOUND UNIVERSITY IN {space} [WITH {debater}]"
    space = Name("space")
    debater = Name("debater", optional=True)

    def cost(self, table: Table, power: str) -> int | None:
        """18.1, 18.2: Loyola makes one foundation cheaper."""
        cost = super().cost(table, power)
        if cost is not None and self.debater and attempts.bonus_row(table, self.debater)["bonus"] == self.action[6:]:
            return attempts.bonus_row(table, self.debater)["bonus_number"]
        return cost

    def check_action(self, table: Table, power: str) -> None:
        if not church.jesuits_are_there(table):
            raise Refused("no_society_of_jesus", "18.1")
        if self.debater:
            attempts.check_bonus(table, power, self.debater, self.action[6:])
        if not church.may_have_university(table, self.space):
            raise Refused("no_university_there", "18.1", space=self.space)

    def procedure(self, table: Table, power: str) -> Procedure:
        """18.1."""
        if self.debater:
            attempts.use_bonus(table, self.debater, for_faith=False)
        church.found_university(table, self.space)
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        if question.power != PAPACY or not church.jesuits_are_there(table):
            return
        helping = [
            debater
            for debater, row in table.kit.tables["debaters"].items()
            if row["bonus"] == "jesuit_university" and uncommitted(table, debater)
        ]
        for space in church.university_spaces(table):
            for debater in (None, *helping):
                yield cls(space=space, debater=debater)


ORDERS: tuple[type[Order], ...] = attempts.ORDERS
ACTIONS = (PublishTreatise, Translate, CallDebate, BuildSaintPeters, BurnBooks, FoundUniversity)
