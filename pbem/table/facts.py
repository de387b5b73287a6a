"""Facts, and the projector that folds them into a board.

A fact is a JSON object ``{"fact": type, ...}`` that says one change of the board whole: what moved from where to where,
a value before and after. `apply` needs neither rules nor kit. A type never changes its meaning; a new meaning is a new
type. Every fact may also carry

``why``
    the event of the rules that it belongs to, a short id for the narrative (``"upkeep"``),
``section``
    the section of the rulebook,
``to``
    a list of powers that alone may read the fact; others see nothing of it, or its masked form (`pbem.table.sight`).
    A draw that only some may read says so with ``sight`` instead, since its ``to`` is the pile.

The types:

=============  =====================================================================================================
``state``      ``name, before, after``: a named value changes
``count``      ``track, power, before, after, change``: a number of a power changes; masked: only ``change``; with
               ``gone`` the power has no number any more, as before the first one was set
``counter``    ``name, before, after, change``: a number that belongs to no power changes; masked, and with ``gone``,
               as a ``count``
``units``      ``kind, power, number, origin, place``: interchangeable pieces move from ``origin`` to ``place``
``piece``      ``piece, before, after``: a named piece changes; both are objects such as ``{"at": place}``, or null
``card``       ``card, origin, place``: a card goes from one pile to another; masked: card ``"?"``
``show``       ``cards, pile``: the powers in ``to`` see which these cards of a pile are
``sight``      ``name, before, after``: who may see a pile, a track or a counter
``open``       ``name, content``: a pile, a track or a counter is opened to all: what it holds
``shuffle``    ``pile``: what anybody knew of the order or content of a pile is void
``roll``       ``what, power, dice, sides, index``: dice were thrown (index: which random event, null in a dry run);
               with ``die`` (a die of the kit) also ``faces``, what they show
``draw``       ``what, k, m, index``: the k-th (from 0) of m possibilities was drawn, in the order that the kit gives
``reorder``    ``before, after``: the order of play of the powers is put right; none comes and none goes
``players``    ``before, after``, both ``{"powers", "played_by"}``: a power that nobody holds comes into play, played
               from the seat of another one; or it goes to another seat, or out of play
``happened``   ``what`` and free fields: a mark in the story, which changes nothing on the board; with ``aside`` one
               that an older program may not have made in the same place
=============  =====================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pbem.table.board import HIDDEN_CARD, Board, copied

Fact = dict[str, Any]

RULING = "ruling"
"""Why a fact is that a moderator has ruled (`pbem.campaign.rulings`): such a one is told, whatever the phrases of its
subject make of it in play. It is also what points are for that he has given."""


class BadFact(ValueError):
    """A fact that cannot be true of the board it is applied to; says what the board holds instead.

    Made with a sentence and the values that stand in it, so that it can be told with the names of things.
    """

    def __init__(self, sentence: str, **values: Any):
        self.sentence, self.values = sentence, values
        super().__init__(self.told(lambda value: ", ".join(value) if isinstance(value, list) else value))

    def told(self, words: Callable[[Any], str], sentence: str | None = None) -> str:
        """The sentence, or this one in another language, with each value as `words` puts it."""
        return (sentence or self.sentence) % {name: words(value) for name, value in self.values.items()}


def apply(board: Board, fact: Fact) -> None:
    """Fold one fact into a board: the projector.

    Works on the whole board and on a seat's view alike; a view is the fold of masked facts.
    Raises `BadFact` when the fact does not fit the board (a piece that is not there, a wrong value before).
    """
    try:
        change = _CHANGES[fact["fact"]]
    except KeyError:
        raise BadFact("there is no type of fact “%(type)s”", type=fact.get("fact")) from None
    if change is not _nothing:
        board.changes += 1
    change(board, fact)


def apply_all(board: Board, facts: Iterable[Fact]) -> Board:
    """Fold facts in their order; returns the board."""
    for fact in facts:
        apply(board, fact)
    return board


def _state(board: Board, fact: Fact) -> None:
    name = fact["name"]
    if board.state.get(name) != fact["before"]:
        now = board.state.get(name)
        raise BadFact("%(name)s is %(now)s, not %(before)s", name=name, now=now, before=fact["before"])
    if fact["after"] is None:
        board.state.pop(name, None)
    else:
        board.state[name] = fact["after"]


def _count(board: Board, fact: Fact) -> None:
    track = board.tracks.setdefault(fact["track"], {})
    power = fact["power"]
    masked = fact["before"] is None and fact.get("after") is None
    # Where a view knows no value, it learns the one after.
    if not masked and track.get(power) is not None and track[power] != fact["before"]:
        raise BadFact(
            "%(track)s of %(power)s is %(now)s, not %(before)s",
            track=fact["track"], power=power, now=track[power], before=fact["before"],
        )  # fmt: skip
    if fact.get("gone"):
        track.pop(power, None)
        if not track:
            del board.tracks[fact["track"]]
    else:
        track[power] = fact.get("after")


def _counter(board: Board, fact: Fact) -> None:
    name, counters = fact["name"], board.counters
    masked = fact["before"] is None and fact.get("after") is None
    # Where a view knows no value, it learns the one after.
    if not masked and counters.get(name) is not None and counters[name] != fact["before"]:
        raise BadFact("%(name)s is %(now)s, not %(before)s", name=name, now=counters[name], before=fact["before"])
    if fact.get("gone"):
        counters.pop(name, None)
    else:
        counters[name] = fact.get("after")


def _units(board: Board, fact: Fact) -> None:
    kind, power, number = fact["kind"], fact["power"], fact["number"]
    origin, place = fact["origin"], fact["place"]
    if origin is not None:
        present = board.count(origin, power, kind)
        if present < number:
            raise BadFact(
                "%(power)s has %(present)s %(kind)s at %(origin)s, not %(number)s",
                power=power, present=present, kind=kind, origin=origin, number=number,
            )  # fmt: skip
        owners = board.units[origin]
        if present == number:
            del owners[power][kind]
            if not owners[power]:
                del owners[power]
            if not owners:
                del board.units[origin]
        else:
            owners[power][kind] = present - number
    if place is not None:
        kinds = board.units.setdefault(place, {}).setdefault(power, {})
        kinds[kind] = kinds.get(kind, 0) + number


def _piece(board: Board, fact: Fact) -> None:
    piece = fact["piece"]
    if board.pieces.get(piece) != fact["before"]:
        now = board.pieces.get(piece)
        raise BadFact("%(name)s is %(now)s, not %(before)s", name=piece, now=now, before=fact["before"])
    if fact["after"] is None:
        board.pieces.pop(piece, None)
    else:
        board.pieces[piece] = fact["after"]


def _card(board: Board, fact: Fact) -> None:
    card, origin, place = fact["card"], fact["origin"], fact["place"]
    if origin is not None:
        pile = board.piles.setdefault(origin, [])
        if card in pile and card != HIDDEN_CARD:
            pile.remove(card)
        elif card == HIDDEN_CARD and pile:
            # A card left unseen: which one, the reader of this view cannot know; so all he knew of the pile is void.
            board.piles[origin] = [HIDDEN_CARD] * (len(pile) - 1)
        elif HIDDEN_CARD in pile:
            pile.remove(HIDDEN_CARD)
        else:
            raise BadFact("there is no card %(card)s in %(pile)s", card=card, pile=origin)
    if place is not None:
        board.piles.setdefault(place, []).append(card)


def _show(board: Board, fact: Fact) -> None:
    pile = board.piles.get(fact["pile"], [])
    for card in fact["cards"]:
        if card not in pile:
            if HIDDEN_CARD not in pile:
                raise BadFact("there is no card %(card)s in %(pile)s", card=card, pile=fact["pile"])
            pile[pile.index(HIDDEN_CARD)] = card


def _sight(board: Board, fact: Fact) -> None:
    if fact["after"] is None:
        board.sight.pop(fact["name"], None)
    else:
        board.sight[fact["name"]] = fact["after"]


def _open(board: Board, fact: Fact) -> None:
    name = fact["name"]
    board.sight.pop(name, None)
    if name in board.piles:
        board.piles[name] = list(fact["content"])
    elif name in board.counters:
        board.counters[name] = fact["content"]
    else:
        board.tracks[name] = dict(fact["content"])


def _shuffle(board: Board, fact: Fact) -> None:
    """Nothing changes on the whole board; a view forgets (`pbem.table.sight` masks the fact with ``forget``)."""
    if fact.get("forget"):
        pile = board.piles.setdefault(fact["pile"], [])
        board.piles[fact["pile"]] = [HIDDEN_CARD] * len(pile)


def _reorder(board: Board, fact: Fact) -> None:
    if board.powers != fact["before"]:
        raise BadFact("the order of play is %(now)s, not %(before)s", now=board.powers, before=fact["before"])
    if sorted(fact["after"]) != sorted(board.powers):
        raise BadFact("an order of play names each of %(powers)s once", powers=sorted(board.powers))
    board.powers = list(fact["after"])


def _players(board: Board, fact: Fact) -> None:
    now = seating(board)
    if now != fact["before"]:
        raise BadFact("in play are %(now)s, not %(before)s", now=now, before=fact["before"])
    board.powers, board.played_by = list(fact["after"]["powers"]), dict(fact["after"]["played_by"])


def seating(board: Board) -> dict[str, Any]:
    """Who is in play, and from whose seat, as a fact of ``players`` has it."""
    return {"powers": list(board.powers), "played_by": dict(board.played_by)}


def held_after(seats: Mapping[str, Sequence[str]], fact: Fact) -> dict[str, list[str]]:
    """The powers of each seat (seat -> powers) after a fact of ``players``: its own first, then those that it plays."""
    guests, hosts = fact["before"]["played_by"], fact["after"]["played_by"]
    own = {seat: [power for power in powers if power not in guests] for seat, powers in seats.items()}
    return {seat: [*powers, *(one for one, host in hosts.items() if host in powers)] for seat, powers in own.items()}


def _nothing(board: Board, fact: Fact) -> None:
    """Told, not applied."""


_CHANGES = {
    "state": _state,
    "count": _count,
    "counter": _counter,
    "units": _units,
    "piece": _piece,
    "card": _card,
    "show": _show,
    "sight": _sight,
    "open": _open,
    "shuffle": _shuffle,
    "reorder": _reorder,
    "players": _players,
    "roll": _nothing,
    "draw": _nothing,
    "happened": _nothing,
}

FACT_TYPES = tuple(_CHANGES)


def held(board: Board, name: str) -> Any:
    """A copy of what a pile, a track or a counter of this name holds; None where there is none."""
    for part in (board.piles, board.tracks):
        if name in part:
            return copied(part[name])
    return board.counters.get(name)


def _changes_hands(old: Board, new: Board, power: str | None) -> bool:
    return power is not None and old.played_by.get(power) != new.played_by.get(power)


def difference(old: Board, new: Board) -> list[Fact]:
    """The facts that lead from one board to another; what a rewind and an import put on record.

    Every fact carries ``why: "restore"``. Folding them into a copy of `old` gives a board equal to `new`. What becomes
    open to all does so last, so that nobody sees what lies there now, and with what it then holds.
    """
    facts: list[Fact] = []

    def add(**fact: Any) -> None:
        facts.append({**fact, "why": "restore"})

    # Whoever plays a power from now on is not to read what its player before him held: that goes first.
    leaving = [pile for pile in sorted(old.piles) if _changes_hands(old, new, old.owner_of(pile))]
    for pile in leaving:
        for card in old.piles[pile]:
            add(fact="card", card=card, origin=pile, place=None)
    if old.played_by != new.played_by:
        add(fact="players", before=seating(old), after=seating(new))
    elif old.powers != new.powers:
        add(fact="reorder", before=list(old.powers), after=list(new.powers))
    sights = [n for n in sorted(old.sight.keys() | new.sight.keys()) if old.sight.get(n) != new.sight.get(n)]
    for name in sights:
        if name in new.sight:
            add(fact="sight", name=name, before=old.sight.get(name), after=new.sight[name])
    for name in sorted(old.state.keys() | new.state.keys()):
        if old.state.get(name) != new.state.get(name):
            add(fact="state", name=name, before=old.state.get(name), after=new.state.get(name))
    for track in sorted(old.tracks.keys() | new.tracks.keys()):
        was, now = old.tracks.get(track, {}), new.tracks.get(track, {})
        for power in sorted(was.keys() | now.keys()):
            before, after = was.get(power), now.get(power)
            change = (after or 0) - (before or 0)
            if power not in now:
                add(fact="count", track=track, power=power, before=before, after=None, change=change, gone=True)
            elif before != after:
                add(fact="count", track=track, power=power, before=before, after=after, change=change)
    for name in sorted(old.counters.keys() | new.counters.keys()):
        before, after = old.counters.get(name), new.counters.get(name)
        change = (after or 0) - (before or 0)
        if name not in new.counters:
            add(fact="counter", name=name, before=before, after=None, change=change, gone=True)
        elif before != after or name not in old.counters:
            add(fact="counter", name=name, before=before, after=after, change=change)
    places = sorted({(p, o, k) for b in (old, new) for p, o, k, _ in b.units_everywhere()})
    for place, power, kind in places:
        before, after = old.count(place, power, kind), new.count(place, power, kind)
        if after < before:
            add(fact="units", kind=kind, power=power, number=before - after, origin=place, place=None)
        elif after > before:
            add(fact="units", kind=kind, power=power, number=after - before, origin=None, place=place)
    for piece in sorted(old.pieces.keys() | new.pieces.keys()):
        if old.pieces.get(piece) != new.pieces.get(piece):
            add(fact="piece", piece=piece, before=old.pieces.get(piece), after=new.pieces.get(piece))
    for pile in sorted(old.piles.keys() | new.piles.keys()):
        if pile in leaving or old.piles.get(pile) != new.piles.get(pile):
            for card in old.piles.get(pile, []) if pile not in leaving else ():
                add(fact="card", card=card, origin=pile, place=None)
            for card in new.piles.get(pile, []):
                add(fact="card", card=card, origin=None, place=pile)
    for name in sights:
        if name not in new.sight and held(new, name) is not None:
            add(fact="open", name=name, content=held(new, name))
        elif name not in new.sight:
            add(fact="sight", name=name, before=old.sight[name], after=None)
    return facts
