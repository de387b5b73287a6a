"""Lines beside the orders of a mail: which may be left out, and which have to be asked back.

A greeting, a closing, a name, a word about the weather may be left out, and the sender is told. A line that names
spaces, leaders or cards of the game, or begins with a verb of it, and is no order as it stands (``leipzig please``,
``try Breslau``, ``Charles takes 3 regulars to Barcelona``) may be what its sender wants most: it goes to the order
reader, which refuses the mail with it, so that nothing of the mail is carried out against it. Where a line is chat
about the game (``I fear Hungary is lost``) it is left out; where it may be either, it is asked back. So is a line that
takes back what stands above it, or makes it depend on something (``sorry, wrong game, ignore this``), and one that asks
the service for something (``could you put my reports on daily?``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pbem.campaign import requested
from pbem.campaign.wondered import takes_back
from pbem.games import find_game
from pbem.mail.orderlike import READ_LIMIT, depends, is_greeting, kits, reads
from pbem.mail.phrases import SIGN_OFFS
from pbem.mail.quotations import is_sign_off
from pbem.table import loose, wording
from pbem.table.inflected import means
from pbem.table.kit import Kit
from pbem.table.orders import Order
from pbem.table.talk import (
    asks_about,
    asks_to_act,
    corrects,
    domains_named,
    heading,
    hedges,
    jokes,
    may_act,
    named,
    tells,
    tells_of_others,
)

INITIALS = 3
"""So many letters at most, in capitals, are somebody's initials."""
FIRST_NAMES = 2
"""So many words at most has a name that stands alone below what is no order."""
LONGEST_SIGNATURE = 4
"""So many words at most has a line of a signature that no closing stands above."""
MOST_LINES = 20
"""So many lines above or below the orders are looked at: a longer text is no order."""


def asked_back(above: Sequence[str], last: str, below: Sequence[str], game: str | None = None) -> bool:
    """Whether of the lines `above` the orders of a mail, or of those `below` the `last` one (empty ones kept), any may
    be meant for an order of `game`, or of any game where it is not known, or takes back what the orders say."""
    near = [line for line in above if line][-MOST_LINES:]
    if any(is_request(line, game) for line in near):
        return True
    if any(_may_act(line, game) for line in near if not _introduces(line)):
        return True
    if near and _leads_elsewhere(near[-1], game):
        return True
    after = list(islice(_without_signature(last, below, game), MOST_LINES))
    if any(_says_something(_behind_opening(line), game) for line in near):
        return True
    behind = map(_behind_opening, [line for line in below if line][:MOST_LINES])
    if any(rest and (_says_something(rest, game) or _hedges(rest, game)) for rest in behind):
        return True
    if any(is_request(line, game) for line in after):
        return True
    return any(_may_act(line, game) or _hedges(line, game) or _corrects(line, game) for line in after)


def _behind_opening(line: str) -> str:
    """What stands behind a greeting or closing on its line, if more than a name; "" where nothing does."""
    head, _, rest = line.partition(",")
    rest = rest.strip()
    if not (head.strip() and rest) or len(line) > READ_LIMIT or is_sign_off(line):
        return ""
    opening, *whom = head.split()
    opens = is_greeting(head) or is_sign_off(head) or (is_sign_off(opening) and len(whom) < FIRST_NAMES)
    return rest if opens else ""


def _says_something(said: str, game: str | None) -> bool:
    """Whether what stands behind a greeting or closing is an order, has a verb of one, asks for something, or makes the
    orders depend on something (``Bisous, sinon je passe``)."""
    if not said:
        return False
    if is_request(said, game) or _may_act(said, game) or depends(said) or reads(said):
        return True
    return any(_has_verb(said, find_game(one).orders, kit) for one, kit in kits(game))


def _has_verb(line: str, kinds: Sequence[type[Order]], kit: Kit) -> bool:
    """Whether any word is a verb of these kinds, or asks that somebody be told something."""
    words = [word for word in loose.words_of(line, loose.MOST_SAID) if not wording.is_chatter(word, kit)]
    tells_somebody = len(loose.without_phrases(words, "asking to tell", kit)) < len(words)
    return tells_somebody or any(loose.kind_of_verb(kinds, word, kit) is not None for word in words)


def is_request(line: str, game: str | None = None) -> bool:
    """Whether a line asks the service, or whoever runs the game, for something that a line of the service does, or
    takes back what was sent before."""
    if len(line) > READ_LIMIT:
        return False
    takes = not _denies(line, game) and any(takes_back(line, kit) for _, kit in kits(game))
    return takes or any(requested.asks(line, kit) for _, kit in kits(game))


def is_chat(line: str, game: str | None = None) -> bool:
    """Whether a line between orders only tells something, and nothing of them depends on it."""
    return len(line) <= READ_LIMIT and not is_request(line, game) and all(
        tells(line, find_game(one).orders, kit) and not hedges(line, kit) for one, kit in kits(game)
    )


def _leads_elsewhere(line: str, game: str | None) -> bool:
    """Whether the line right above the orders says, in a sentence that goes on in them, that they are not so, or
    somebody else's, or asks whether they may be given."""
    if len(line) > READ_LIMIT or is_greeting(line):
        return False
    if line.endswith("?"):
        return any(asks_about(line, kit) for _, kit in kits(game))
    if not _flows_on(line):
        return any(line.casefold().startswith(word) for word in ("e.g.", "p. ex.", "p.ex."))
    return _hedges(line, game) or _denies(line, game) or any(tells_of_others(line, kit) for _, kit in kits(game))


def _corrects(line: str, game: str | None) -> bool:
    return len(line) <= READ_LIMIT and any(corrects(line, find_game(one).orders, kit) for one, kit in kits(game))


def is_name(line: str, game: str | None = None) -> bool:
    """Whether the last line of a mail is no more than its writer's first name, or his initials."""
    return 0 < len(line.lstrip("/-~ ").split()) <= FIRST_NAMES and _is_of_names(line, game, begun=False)


def _flows_on(line: str) -> bool:
    """Whether a sentence goes on below a line."""
    return line[-1].isalnum() or line.endswith((",", ":", ";", "...", "…"))


def _hedges(line: str, game: str | None) -> bool:
    """Whether a line takes back or doubts what stands beside it, and is no closing (``no rush``)."""
    if len(line) > READ_LIMIT or line.casefold().startswith(_NO_CARES):
        return False
    return any(hedges(line, kit) for _, kit in kits(game))


def _denies(line: str, game: str | None) -> bool:
    """Whether a sentence that goes on below says that something is not so."""
    words = loose.words_of(line, loose.MOST_SAID)
    return any(means(word, "denying", kit) for word in words for _, kit in kits(game))


_NO_CARES = tuple(phrase for phrase in SIGN_OFFS if " " in phrase)


def _may_act(line: str, game: str | None) -> bool:
    if len(line) > READ_LIMIT or is_greeting(line):
        return False
    return any(may_act(line, find_game(one).orders, kit) for one, kit in kits(game))


def _introduces(line: str) -> bool:
    """Whether a line only says what stands below it (``My orders for Paris:``)."""
    return line.endswith(":")


def is_heading(line: str, game: str | None = None) -> bool:
    """Whether a line above an order only names something of the game (``Charles:``): the order may be a message to him,
    or somebody's own."""
    return len(line) <= READ_LIMIT and any(heading(line, kit) for _, kit in kits(game))


def _without_signature(last: str, lines: Sequence[str], game: str | None) -> list[str]:
    """The lines below the orders without a signature: names, of people first, alone on short lines; of places below an
    empty line (where the `last` order names none, which may have one more), or below another name."""
    kept: list[str] = []
    begun = is_apart = False
    for place, line in enumerate(lines):
        if not line:
            is_apart = is_apart or not any(lines[:place])
            continue
        if _is_of_names(line, game, begun or (is_apart and not _goes_on_from(last, line, game))):
            begun = True
        else:
            kept.append(line)
    return kept


def _goes_on_from(last: str, line: str, game: str | None) -> bool:
    """Whether a line names a thing of the kind that the last order names."""
    return any(not domains_named(last, kit).isdisjoint(domains_named(line, kit)) for _, kit in kits(game))


def _is_of_names(line: str, game: str | None, begun: bool) -> bool:
    """Whether a short line is no more than somebody's name, or the place that he writes from; `begun`: a signature may
    have begun above."""
    line = line.lstrip("/-~ ")
    if line.isalpha() and line.isupper() and len(line) <= INITIALS:
        return not any(jokes(line, kit) for _, kit in kits(game))
    words = [word for word in loose.words_of(line) if word != ","]
    if len(words) > LONGEST_SIGNATURE or not line[:1].isupper() or is_request(line, game):
        return False
    for one, kit in kits(game):
        people, things = named(words, kit)
        goes_there = things and any(means(word, "like into", kit) for word in words)
        is_of_places = things and not people and not begun
        kinds = find_game(one).orders
        says_more = hedges(line, kit) or corrects(line, kinds, kit)
        if goes_there or is_of_places or says_more or asks_to_act(words, kinds, kit):
            return False
    return True

