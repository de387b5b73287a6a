"""Lines beside the orders of a mail: which may be left out, and which have to be asked back.

A greeting, a closing, a name, a word about the weather may be left out, and the sender is told. A line that names
spaces, leaders or cards of the game, or begins with a verb of it, and is no order as it stands (``leipzig please``,
``try Breslau``, ``Charles takes 3 regulars to Barcelona``) may be what its sender wants most: it goes to the order
reader, which refuses the mail with it, so that nothing of the mail is carried out against it. Where a line is chat
about the game (``I fear Hungary is lost``) it is left out; where it may be either, it is asked back.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pbem.games import find_game
from pbem.mail.orderlike import READ_LIMIT, is_greeting, kits
from pbem.table import loose
from pbem.table.inflected import means
from pbem.table.kit import Kit
from pbem.table.naming import message_to_somebody, named

LONGEST_SIGNATURE = 4
"""So many words at most has a line of a signature that no closing stands above."""
MOST_LINES = 20
"""So many lines above or below the orders are looked at: a longer text is no order."""


def asked_back(above: Sequence[str], below: Sequence[str], game: str | None = None) -> bool:
    """Whether of the lines `above` the orders of a mail, or of those `below` them (empty ones kept), any may be meant
    for an order of `game`, or of any game where it is not known."""
    near = [line for line in above if line][-MOST_LINES:]
    return any(_may_act(line, game) for line in near if not _introduces(line)) or any(
        _may_act(line, game) for line in islice(_without_signature(below, game), MOST_LINES)
    )


def _may_act(line: str, game: str | None) -> bool:
    if len(line) > READ_LIMIT or is_greeting(line):
        return False
    return any(_may_act_in(line, one, kit) for one, kit in kits(game))


def _may_act_in(line: str, game: str, kit: Kit) -> bool:
    """Whether a line may be meant for an order of a game: it is addressed to somebody in it, or asks for something to
    be done with things of it, and is no chat."""
    words = [word for word in loose.words_of(line, loose.MOST_SAID) if word != ","]
    if not words:
        return False
    if message_to_somebody(line, kit):
        return True
    acts = _acts(words, game, kit)
    if any(means(word, "telling", kit) for word in words) and not acts:
        return False
    people, things = named(words, kit)
    return things or (acts and (people or _begins_with_verb(words, game, kit)))


def _introduces(line: str) -> bool:
    """Whether a line only says what stands below it (``My orders for Paris:``)."""
    return line.endswith(":")


def _acts(words: Sequence[str], game: str, kit: Kit) -> bool:
    """Whether any word asks for something to be done, or it is a verb of the game that begins the line."""
    return any(means(word, "acting", kit) for word in words) or _begins_with_verb(words, game, kit)


def _begins_with_verb(words: Sequence[str], game: str, kit: Kit) -> bool:
    """Whether a verb of the game, in whatever form and language, begins some words, but for chatter, and something
    stands behind it."""
    begun = next((at for at, word in enumerate(words) if not loose.is_chatter(word, kit)), len(words))
    rest = [word for word in words[begun + 1 :] if not loose.says_nothing(word, kit)]
    return bool(rest) and loose.kind_of_verb(list(find_game(game).orders), words[begun], kit) is not None


def _without_signature(lines: Sequence[str], game: str | None) -> list[str]:
    """The lines below the orders without a signature: names, of people first, alone on short lines; of places below an
    empty line, or below another name."""
    kept: list[str] = []
    begun = False
    for place, line in enumerate(lines):
        if not line:
            begun = begun or not any(lines[:place])
            continue
        if _is_of_names(line, game, begun):
            begun = True
        else:
            kept.append(line)
    return kept


def _is_of_names(line: str, game: str | None, begun: bool) -> bool:
    """Whether a short line is no more than somebody's name, or the place that he writes from; `begun`: a signature may
    have begun above."""
    words = [word for word in loose.words_of(line) if word != ","]
    if len(words) > LONGEST_SIGNATURE or not line[:1].isupper():
        return False
    for one, kit in kits(game):
        people, things = named(words, kit)
        goes_there = things and any(means(word, "like into", kit) for word in words)
        if goes_there or _acts(words, one, kit) or (things and not people and not begun):
            return False
    return True

