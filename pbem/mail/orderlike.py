"""What could be an order, judged without knowing the campaign: a mail is read before it is known whose it is.

All games' verbs together decide what a line that is none of an order's may be left out. What its words may mean is
tried by the game that is played, where that is known (`of_game`), else by all. A line that only resembles an order
counts as one: it is then refused with its reason, and nothing is lost without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from pbem.campaign.command import COMMANDS
from pbem.campaign.commands import begun_message, read_line, said_for, said_to_the_service
from pbem.games import find_game, game_ids
from pbem.mail.phrases import GREETINGS, SIGN_OFFS
from pbem.table import brief, loose, notation, tries
from pbem.table.kit import Kit, KitError, common_words, load_kit
from pbem.table.orders import Order, Unreadable

READ_LIMIT = 240  # characters of a line that is tried on the games
_KEYWORDS = frozenset(
    {"TO", "FROM", "AT", "IN", "WITH", "FOR", "AGAINST", "VIA", "INTO", "INSIDE", "PAYING", "PLAYING"}
)
_JOINING = _KEYWORDS | {"AND", "OF", "ON", "A", "B", "IF", "UNLESS", "THEN", "ALLIES", "MORE", "NO", "YES"}
_PARTICLES = frozenset(
    ["of", "the", "van", "von", "der", "den", "de", "du", "la", "le", "di", "da", "del", "af", "av"]
)  # of people's names
_COMMON = frozenset(word.split()[0] for word in (*GREETINGS, *SIGN_OFFS)) | {"make", "sent", "have", "this", "that"}

# What may stand before an order and says nothing: a list's mark or number, bold, quotation marks.
_MARK = re.compile(
    r"(?:[-=]{1,2}>|[\u2192\u21d2\u25ba\u27a2\u27a4\u2713\u2714])\s*|"  # arrows and ticks
    r"[-*+\u2022\u00b7\u25aa\u25cf\u25e6\u2023]+\s+|"
    r"[oqv\u00a7\u00d8\u00fc]\s{2,}|"  # what becomes of the signs of a word processor
    r"\(?(?:\d{1,2}[a-z]?|[a-z])[.):]\)?\s+|#\d{1,2}[.:)]\s+",
    re.IGNORECASE,
)
_CLOSE_MARK = re.compile(r"(?:[-*+\u2022\u00b7]|\d{1,2}[.)])(?=[A-Za-z])")  # nothing between it and the order
_MESSAGE = re.compile(r"PRESS\s+TO\b", re.IGNORECASE)
_PAIRS = {'"': '"', "'": "'", "`": "`", "*": "*", "_": "_", "/": "/", "[": "]", "(": ")", "\u300c": "\u300d"}
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)([^*]+?)(?<=\S)\1(?![\w*])")


_played: ContextVar[str | None] = ContextVar("played", default=None)


@contextmanager
def of_game(game: str | None) -> Iterator[None]:
    """Within this, what lines may mean is tried by one game alone; by all for None."""
    token = _played.set(game)
    try:
        yield
    finally:
        _played.reset(token)


@cache
def _verbs_of(games: tuple[str, ...]) -> frozenset[str]:
    orders = [kind for game in games for kind in find_game(game).orders]
    return frozenset(kind.pattern.verb.casefold() for kind in (*orders, *COMMANDS))


def _verbs() -> frozenset[str]:
    return _verbs_of(tuple(game_ids()))


@cache
def _meant_by(*kinds: str) -> frozenset[str]:
    """The first words, in every language, of what the grammar calls by these kinds."""
    return frozenset(word.split()[0] for kind in kinds for word in common_words(kind))


def _steps() -> frozenset[str]:
    """The words that a line begins with which is no order by itself, or no more than the end of all orders."""
    return _meant_by("if", "unless", "then", "for", "next") | {"end", "salt"}


@cache
def _alone(games: tuple[str, ...]) -> frozenset[str]:
    """The verbs that may stand alone on a line."""
    orders = [kind for game in games for kind in find_game(game).orders]
    return frozenset(
        kind.pattern.verb.casefold() for kind in (*orders, *COMMANDS)
        if re.sub(r"\[.*\]", "", kind.line).split() == [kind.pattern.verb]
    )  # fmt: skip


def plain(line: str) -> str:
    """`line` without what may stand around an order: a list's mark, bold, quotation marks around the whole."""
    for _ in range(4):
        before = line
        line = _EMPHASIS.sub(r"\2", line)
        if len(line) > 2 and line[-1] == _PAIRS.get(line[0]) and line[0] not in line[1:-1]:
            line = line[1:-1].strip()
        line = _MARK.sub("", line, count=1) if _MARK.match(line) else line
        if (close := _CLOSE_MARK.match(line)) and begins_order(line[close.end() :]):
            line = line[close.end() :]
        if line.endswith("!") and line.rstrip("! ").casefold() in _alone(tuple(game_ids())):
            line = line.rstrip("! ")  # at the end of other orders it does no harm
        if line == before:
            return line
    return line


def has_mark(line: str) -> bool:
    """Whether a line begins with a list's mark or number."""
    return bool(_MARK.match(line))


@lru_cache(maxsize=2_000)
def begins_message(line: str) -> bool:
    """Whether a line begins a message to other players, in the grammar's words or another language's."""
    if _MESSAGE.match(line):
        return True
    first = line.split(None, 1)[0].casefold() if ":" in line and line.strip() else ""
    return first in _meant_by("line press to") and any(begun_message(line, kit) for _, kit in kits())


def begins_order(line: str) -> bool:
    """Whether a line, as `plain` leaves it, begins with a verb of an order or a command."""
    words = line.split(None, 12)
    if not words:
        return False
    first = words[0].strip(".,;:!").casefold()
    rest = [word.strip(".,;:!()").casefold() for word in words[1:]]
    if first in _meant_by("for"):
        _, colon, order = line[:70].partition(":")
        return bool(colon) and (first == "for" or begins_order(order.strip()))  # « Pour info : … » is prose
    if first == "end" or first in _meant_by("next"):
        return not rest
    if first == "salt":
        return bool(rest)
    if first in _meant_by("if", "unless", "then"):
        return any(word in _verbs() for word in rest)
    return first in _verbs()


def _begins_in_another_language(line: str) -> bool:
    """Whether a line of several words begins with the verb of an order in another language (ОБЪЯВЛЯЮ …), of one that
    never stands alone: what is wrong with the rest is told, and never left out beside orders that are carried out."""
    first, _, rest = line.partition(" ")
    return bool(rest.strip()) and _is_foreign_verb(first.strip(".,;:!?").casefold(), tuple(game_ids()))


@lru_cache(maxsize=5_000)
def _is_foreign_verb(word: str, games: tuple[str, ...]) -> bool:
    if any(word.startswith(verb) for verb in _verbs_of(games)) or word in _meant_by("chatter", "noise", "finished"):
        return False
    meant = {
        kind.pattern.verb.casefold()
        for kinds, kit in _readable(games) if (kind := loose.kind_of_verb(kinds, word, kit)) is not None
    }  # fmt: skip
    return bool(meant) and not meant & _alone(games)


@cache
def _readable(games: tuple[str, ...]) -> tuple[tuple[tuple[type[Order], ...], Kit], ...]:
    """The orders of each game with its kit; a game whose kit cannot be read is left out."""
    readable: list[tuple[tuple[type[Order], ...], Kit]] = []
    for game in games:
        try:
            readable.append((tuple(find_game(game).orders), _kit(game)))
        except KitError:
            continue
    return tuple(readable)


def may_be_order(line: str) -> bool:
    """Whether a line, as `plain` leaves it, is an order or resembles one so much that its sender may have meant one."""
    if begins_order(line) or begins_message(line) or _begins_in_another_language(line):
        return True
    words = line.split(None, 30)
    if not words or len(words[0]) > 40:
        return False
    first = words[0].strip(".,;:!?")
    folded = first.casefold()
    if len(folded) >= 4 and folded.isalpha() and folded not in _COMMON and not folded.startswith("http"):
        most = 1 if len(folded) < 8 else 2
        against = _verbs() if len(words) > 1 else _alone(tuple(game_ids()))
        near = any(
            abs(len(verb) - len(folded)) <= most
            and DamerauLevenshtein.distance(folded, verb, score_cutoff=most) <= most
            for verb in against if len(verb) > 3
        )  # fmt: skip
        names = [word for word in words[:4] if word not in _PARTICLES]
        if near and not all(word[:1].isupper() and not word.isupper() for word in names):
            return True
    return any(word in _KEYWORDS for word in words[1:]) and not line.isupper()


def is_meant(line: str) -> bool:
    """Whether a line, as `plain` leaves it, is an order beyond doubt, or one with a slip in it."""
    if reads(line) or makes_sense(line):
        return True
    words = line.split(None, 30)
    return len(words) > 1 and may_be_order(line) and any(word in _KEYWORDS for word in words[1:])


def begins_joining(line: str) -> bool:
    """Whether a line begins with a word that stands within an order, before another one."""
    first, _, rest = line.partition(" ")
    return bool(rest) and first in _JOINING


def begins_line(line: str) -> bool:
    """Whether a line begins as one of its own does: with the verb of an order, or whom one is for."""
    first = line.split(None, 1)[0].strip(",:").casefold() if line.strip() else ""
    return begins_order(line) or first in _meant_by("for", "next", "line press to")


def without_joining(line: str) -> str:
    """A line without the word that joins it to the one above (``And build …``)."""
    first, _, rest = line.partition(" ")
    return rest.strip() if first.strip(",").casefold() in _meant_by("joining lines") else line


def goes_on(line: str, following: str) -> bool:
    """Whether a line's last word, or the next line's first, says that the order goes on there."""
    last, first = line.split()[-1:], following.split()[:1]
    if not last or not first:
        return False
    return line.endswith(",") or last[0] in _JOINING or first[0] in _KEYWORDS or following.startswith(",")


@cache
def _kit(game: str) -> Kit:
    return load_kit(game)


@cache
def _has_kit(game: str) -> bool:
    """Whether the kit of a game can be read; found out once, for a try takes long."""
    try:
        _kit(game)
    except KitError:
        return False
    return True


@lru_cache(maxsize=2_000)
def reads(line: str) -> bool:
    """Whether a line can be read as an order of any game, or a command."""
    if len(line) > READ_LIMIT or not line.strip():
        return False
    for game in game_ids():
        kinds: list[type[Order]] = list(find_game(game).orders)
        verbs = {kind.pattern.verb.casefold() for kind in (*kinds, *COMMANDS)} | _steps()
        if line.split()[0].casefold() not in verbs:
            continue
        try:
            read_line(kinds, line, _kit(game))
        except (Unreadable, KitError):
            continue
        return True
    return False


def makes_sense(line: str) -> bool:
    """Whether a line that is none of the grammar may mean an order all the same (``I bid 3``, ``j'attaque Hanovre``) or
    a line of the service (``carte 31``), or says yes or no, that its writer takes a seat, or that no more orders come:
    in the game that is played (`of_game`), or in any where that is not known."""
    try:
        return not tries.are_spent() and _makes_sense(line, _played.get())
    except _Spent:
        return False


class _Spent(Exception):
    """The tries of a mail ended while a line was read: what it means is not known, and not to be kept."""


@lru_cache(maxsize=2_000)
def _makes_sense(line: str, game: str | None) -> bool:
    if len(line) > READ_LIMIT or not loose.words_of(line):
        return False
    for one, kit in kits(game):
        said = said_for(line, kit)[1]
        if brief.says(line, kit) is not None or brief.joins(line, kit) or brief.finishes(said, kit):
            return True
        if said_to_the_service(line, kit) is not None:
            return True
        kinds = list(find_game(one).orders)
        if loose.read(kinds, line, kit) or notation.makes_sense(kinds, line, kit):
            return True
    if tries.are_spent():
        raise _Spent
    return False


def says_yes(line: str) -> bool:
    """Whether a line is no more than a yes, or says that its writer takes a seat."""
    return len(line) <= READ_LIMIT and any(brief.joins(line, kit) for _, kit in kits(_played.get()))


def is_greeting(line: str) -> bool:
    """Whether a line greets and does nothing else (thanks may close as well), also with a name behind it."""
    folded = line.casefold().strip(" ,.!;:")
    return any(
        folded == word or (folded.startswith((f"{word} ", f"{word},")) and len(folded[len(word) :].split()) <= GREETED)
        for word in GREETINGS if word not in SIGN_OFFS
    )


GREETED = 3
"""So many words at most name who is greeted."""


def takes_seat(line: str) -> bool:
    """Whether a line says that its writer takes a seat, and names the invitation."""
    return len(line) <= READ_LIMIT and any(brief.takes_seat(line, kit) for _, kit in kits(_played.get()))


def depends(line: str) -> bool:
    """Whether a line beside a yes makes it depend on something, or takes it back."""
    return any(brief.depends(line[:READ_LIMIT], kit) for _, kit in kits(_played.get()))


def kits(game: str | None = None) -> Iterator[tuple[str, Kit]]:
    """The games, or just the one named, each with its kit; one whose kit cannot be read is left out."""
    yield from ((one, _kit(one)) for one in (game_ids() if game is None else [game]) if _has_kit(one))
