"""The page of a reader: what a seat, or everybody, meets of a campaign at one moment.

It is gathered once, for mails, pages of seats and spectators, and the API alike: how the campaign stands, what is
asked, the board, what happened last, what only this seat sees. So none of them can show what another one hides, and all
that one of them shows stands after the same event, also while the campaign goes on.

What a page holds never changes; nobody is to change it. Its parts are made when they are first asked for, from what is
stored up to its event. Pages of the last readers are kept until something happens: five hundred who follow a campaign
make no more work than its seats and languages.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pbem.campaign.commands import without_addressee
from pbem.campaign.forms import OrderForm
from pbem.campaign.press import Whom
from pbem.campaign.queries import Glance, Queries
from pbem.campaign.reading import Menu, Reading
from pbem.campaign.standing import still_valid
from pbem.campaign.status import Status
from pbem.campaign.submissions import Asked
from pbem.games import find_game
from pbem.render.board_svg import board_svg
from pbem.render.board_text import board_text, changed_words, printed
from pbem.render.happenings import changed_places, title
from pbem.render.narrative import Paragraph, Teller, narrate
from pbem.render.own import OwnThing, marked, own_things
from pbem.table.board import Board
from pbem.table.conditions import Sight
from pbem.table.facts import Fact
from pbem.table.game import Game
from pbem.table.kit import Kit
from pbem.table.orders import Order, Refused
from pbem.table.table import Table

MOST_NEWS = 6
LOOKED_THROUGH = 40
"""Events among which what is worth telling is looked for."""
READ_AT_ONCE = 12
WORTH_TELLING = ("ruling", "rewound", "reordered", "paused", "resumed", "finished", "extended")
"""Kinds of events that are told also where nothing is to be said of their facts."""
PAGES_KEPT = 100


@dataclass(frozen=True)
class Question:
    """A question to the reader, in his words.

    `forms` and `legal` are the forms and some legal orders of each kind that may answer it; empty where they were not
    wanted. `silence` is the order that silence would be, "" for none.
    """

    asked: Asked
    title: str
    text: str
    forms: list[OrderForm]
    legal: dict[type[Order], list[Order]]
    silence: str = ""


@dataclass
class Told:
    """An event as one reader may know it, in his words."""

    number: int
    kind: str
    at: str
    hash: str
    title: str
    paragraphs: list[Paragraph] = field(default_factory=list)
    order: str | None = None
    reason: str | None = None
    throws: list[tuple[int, int]] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    ranking: list[dict[str, Any]] = field(default_factory=list)
    """The ranking, where the game ends."""


def tell(event: dict[str, Any], teller: Teller, seat: str | None) -> Told:
    """An event of `Service.events` in a reader's words; `seat` is the reader's, or None."""
    order, public, own = event["order"], event["public"], event["own"]
    said = order["text"] if order and order.get("seat") else None
    refused = teller.refusal(Refused.from_json(own["refused"])) if "refused" in own else None
    return Told(
        number=event["number"], kind=event["kind"], at=event["at"], hash=event["hash"],
        title=title(event, teller, seat), paragraphs=narrate(event["facts"], teller.kit, teller.language.code),
        order=said, reason=public.get("reason") or refused,
        throws=[(proof["tree"], proof["index"]) for proof in event["throws"]], facts=event["facts"],
        ranking=public.get("results", []),
    )  # fmt: skip


@dataclass(frozen=True)
class Page:
    """See the module's text. `seat` is None for everybody; `has_forms` says whether `questions` have them.

    `talks`: a window for talks is open to the reader; `may_write_to`: whom he may write to in it.
    """

    status: Status
    seat: str | None
    teller: Teller
    questions: list[Question]
    has_forms: bool
    talks: bool
    may_write_to: Whom
    _glance: Glance = field(repr=False)
    _queries: Queries = field(repr=False)

    @property
    def kit(self) -> Kit:
        """What the campaign is played with."""
        return self.teller.kit

    @property
    def powers(self) -> list[str]:
        """The powers of the reader's seat."""
        return list(self.status.seats[self.seat]["powers"]) if self.seat else []

    @property
    def game(self) -> Game:
        """The game that is played."""
        return find_game(self.kit.game)

    @cached_property
    def table(self) -> Table:
        """A table with the board as the reader sees it."""
        return Table(self.board, self.kit, self._glance.options, game=self.game)

    @property
    def queued(self) -> list[str]:
        """The orders of the reader that wait until he is asked."""
        return list(self._glance.queue.get(self.seat, [])) if self.seat else []

    @property
    def standing(self) -> list[dict[str, Any]]:
        """The reader's standing orders whose time is not over: ``{number, kind, conditions, line, text}``."""
        mine = self._glance.standing.get(self.seat, []) if self.seat else []
        seen = Sight(self.game, self.table, self.powers) if self.board.powers else None
        return still_valid(self.kit, mine, seen) if mine else []

    # the board

    @cached_property
    def board(self) -> Board:
        """The board as the reader sees it; without powers where the game has not begun."""
        return self._queries.view(self._glance, self.seat, self.status.event)

    def board_after(self, event: int) -> Board:
        """The board as the reader saw it after an event."""
        return self._queries.view(self._glance, self.seat, min(event, self.status.event))

    @cached_property
    def public_board(self) -> Board:
        """The board as everybody sees it."""
        return self.board if self.seat is None else self._queries.view(self._glance, None, self.status.event)

    @cached_property
    def reasons(self) -> list[tuple[str, list[str]]]:
        """Why the points stand as they do, in the reader's words: of whom, and a line for each reason."""
        if not self.board.powers:
            return []
        return self.teller.reasons(self.game.reasons(self.table))

    @cached_property
    def own(self) -> list[OwnThing]:
        """What the reader's seat sees and others do not."""
        return own_things(self.board, self.powers, self.teller)

    def own_since(self, before: Board) -> list[OwnThing]:
        """The same, with the cards marked that were not in their piles on a board of before."""
        return marked(self.own, own_things(before, self.powers, self.teller))

    def words_since(self, before: Board) -> str | None:
        """What of the reader's board in plain text is other than on a board of before, see `changed_words`: "" where
        nothing is, the heading neither; None where the game has no such text."""
        gone = self.teller.language.text("nothing any more")
        now, earlier = words(self.board, self.teller), words(before, self.teller)
        if now is None:
            return None
        changed = changed_words(now, earlier, gone)
        if earlier is not None and changed == changed_words(earlier, earlier, gone):
            return ""
        return printed(changed, self.teller.language.code)

    def picture(self, places: Collection[str] | None = None) -> str | None:
        """The reader's board as SVG, with some places standing out (None: those that the last news changed); None where
        there is no picture of the game, or no board yet."""
        return picture(self.board, self.teller, self._changed if places is None else places)

    @property
    def _changed(self) -> Collection[str]:
        """The places that the last news changed."""
        latest = self.news[0] if self.news else None
        return () if latest is None or latest.kind == "started" else changed_places(latest.facts)

    def places(self) -> list[str]:
        """Where the reader will look first: what the questions to him are about, else what changed last, else where
        his own units stand."""
        about = [name for q in self.questions for value in q.asked.context.values() for name in names_in(value)]
        own = [place for place, owners in self.board.units.items() if owners.keys() & set(self.powers)]
        known = {id for ids in self.kit.labels.values() for id in ids} - set(self.board.powers)
        for names in (about, sorted(self._changed), own):
            if found := [name for name in names if name in known]:
                return found
        return []

    @cached_property
    def words(self) -> str | None:
        """The reader's board in plain text; None where the game has no such text, or there is no board yet."""
        told = words(self.board, self.teller)
        return told and printed(told, self.teller.language.code)

    # what has happened

    def events(self, start: int, stop: int) -> list[dict[str, Any]]:
        """Events of the campaign as the reader may read them, both included, none after the page's own."""
        return self._queries.events(self._glance, self.seat, start, min(stop, self.status.event))

    @cached_property
    def news(self) -> list[Told]:
        """The last things that happened which are worth telling the reader, newest first."""
        last = self.status.event
        first = max(1, last - LOOKED_THROUGH)
        news: list[Told] = []
        for end in range(last, first - 1, -READ_AT_ONCE):
            for event in reversed(self.events(max(first, end - READ_AT_ONCE + 1), end)):
                told = tell(event, self.teller, self.seat)
                if told.paragraphs or told.ranking or told.kind in WORTH_TELLING:
                    news.append(told)
                if len(news) == MOST_NEWS:
                    return news
        return news

    @cached_property
    def given(self) -> dict[str, list[str]]:
        """The reader's own answers that stand to what is open and are not opened yet: key of the question -> lines."""
        mine = [ask["key"] for ask in self.status.asks if ask["seat"] == self.seat]
        said = {key: self._glance.texts.get(key, []) for key in mine}
        return {key: [text] if isinstance(text, str) else list(text) for key, text in said.items() if text}

    @property
    def sealed(self) -> list[str]:
        """The lines of `given`, question by question."""
        return [line for lines in self.given.values() for line in lines]


def names_in(value: Any) -> list[str]:
    """The names in a value of a question's context: itself, or those of its list."""
    return [one for one in (value if isinstance(value, list | tuple) else [value]) if isinstance(one, str)]


def picture(view: Board, teller: Teller, places: Collection[str] = ()) -> str | None:
    """A board as SVG, whose names are escaped; None where there is no picture of its game, or no board yet."""
    if not view.powers:
        return None
    try:
        return board_svg(view.to_json(), teller.kit, highlight=places, language=teller.language.code)
    except LookupError:
        return None


def words(view: Board, teller: Teller) -> str | None:
    """A board in plain text; None where its game has no such text, or there is no board yet."""
    if not view.powers:
        return None
    try:
        return board_text(view.to_json(), teller.kit, teller.language.code)
    except LookupError:
        return None


class Pages:
    """The pages that one process hands out. Its `of` may be called by many threads at once."""

    def __init__(self, reading: Reading):
        self.reading = reading
        self._kept: OrderedDict[tuple[str, str | None, str], Page] = OrderedDict()
        self._guard = threading.Lock()

    def of(self, campaign: str, seat: str | None, language: str, *, forms: bool = False) -> Page:
        """The page of a seat (None: of everybody) as the campaign stands now, in a language ("fr").

        With `forms` its questions have their forms and legal orders. Raises `NoCampaign`, and `ValueError` for a seat
        that there is not.
        """
        key, version = (campaign, seat, language), self.reading.glance(campaign).version
        with self._guard:
            page = self._kept.get(key)
            if page is not None:
                self._kept.move_to_end(key)
        if page is None or page.status.event != version or (forms and not page.has_forms):
            page = self._gathered(campaign, seat, language, forms)
            with self._guard:
                self._kept[key] = page
                if len(self._kept) > PAGES_KEPT:
                    self._kept.popitem(last=False)
        return page

    def _gathered(self, campaign: str, seat: str | None, language: str, forms: bool) -> Page:
        stand = self.reading.stand(campaign, seat, language if forms else None)
        teller = Teller(self.reading.kit(stand.glance.kit), language)
        questions = [_question(menu, teller) for menu in stand.menus]
        return Page(
            stand.status, seat, teller, questions, forms or not questions, stand.talks, stand.may_write_to,
            stand.glance, self.reading.queries,
        )  # fmt: skip


def _question(menu: Menu, teller: Teller) -> Question:
    asked = menu.asked
    legal = [without_addressee(line) for line in asked.examples]
    named, text = teller.question(asked.kind, asked.context, asked.power, legal, menu.possible)
    return Question(asked, named, text, menu.forms, menu.legal, menu.silence)


__all__ = ["Page", "Pages", "Question", "Told", "picture", "tell", "words"]
