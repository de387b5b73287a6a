"""What the lines of a mail lead to, tried before anything of it is carried out.

The lines are played one after the other on a copy of the running step, in the ordinary course of things: no other power
responds, and no condition of a mishap comes true. So a line that only the question of its moment makes clear is known
as a full line beforehand (`Line.ahead`), and can wait as that should somebody be asked in between; what stays unclear
is asked back while nothing is done yet (`Line.unclear`).

The copy throws no dice and opens no answer of another: where the course of things hangs on these, it ends. What comes
of it so tells nobody anything that his own board does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.campaign import course, following, meaning, programs
from pbem.campaign.command import Command
from pbem.campaign.commands import ForAll, Line, Next, Step, addressee
from pbem.campaign.live import Live
from pbem.table import loose, talk
from pbem.table.conditions import program_kinds, turns
from pbem.table.dice import Thrown
from pbem.table.inflected import means
from pbem.table.orders import Decline, Order, Pass, Refused, Showing
from pbem.table.procedure import ReplayDiffers
from pbem.table.questions import AnyOf, Question

MOST_DECLINED = 60
"""So many times others say no before the course of things is given up."""


class _DiceAsked(Exception):
    """The course of things hangs on dice."""


class _NoDice:
    def throw(self, number: int, sides: int, what: str) -> Thrown:
        raise _DiceAsked(what)


class Ahead:
    """The ordinary course of things for a seat. `live` is how it stands by now, None where it cannot be known; `kinds`
    are the kinds of order that answer what the seat was asked so far."""

    def __init__(self, live: Live, seat: str):
        self.seat = seat
        self.kinds = meaning.kinds_asked(live, seat)
        self.live: Live | None = None
        if live.play is not None and live.campaign.status == "running":
            tried = live.aside()
            try:
                tried.play = live.spare_play()
            except ReplayDiffers:
                return  # the campaign is held for it when its turn comes
            self.live = tried

    def take(self, order: Order) -> None:
        """Go on with an order of the seat. Raises `Refused`, and then nothing has changed."""
        power, order = addressee(order)
        if isinstance(order, Step):
            if order.word == "IF" or order.last is None:
                return
            order = order.last
        if self.live is None or isinstance(order, Showing):
            return
        power = following.power_asked(self.live, self.seat, order, power)
        play, own = self.live.playing(), self.live.campaign.powers_of(self.seat)
        assert play.wait is not None
        hides = any(question.power not in own for question in play.questions())
        if hides and not isinstance(play.wait, AnyOf):
            self.live = None
            return
        self._feed([(power, order)])
        self._let_others_decline()

    def decline(self) -> bool:
        """Say no to what the seat is asked besides its own turn; whether there was such a thing."""
        if self.live is None:
            return False
        asked = self._own_questions()
        own_turn = program_kinds(self.live.kit)
        if not asked or not own_turn or any(question.kind in own_turn for question in asked):
            return False
        self._refuse(asked)
        self._let_others_decline()
        return self.live is not None

    def _let_others_decline(self) -> None:
        for _ in range(MOST_DECLINED):
            if self.live is None:
                return
            play = self.live.playing()
            if play.over:
                self.live = None
            elif self._own_questions():
                self._note()
                return
            else:
                self._refuse([question for question in play.questions() if not play.answered(question)])
        self.live = None

    def _refuse(self, questions: Sequence[Question]) -> None:
        """Say no to some questions; the course ends where one of them begins a turn, or takes no bare no."""
        assert self.live is not None
        table, begin = self.live.playing().table, {*program_kinds(self.live.kit), *turns(self.live.kit)}
        noes: list[tuple[str, Order]] = []
        for question in questions:
            kinds = [one for one in question.orders if issubclass(one, Decline | Pass) and not one.fields]
            no = next((one() for one in kinds if question.is_legal(table, one())), None)
            if no is None or question.kind in begin:
                self.live = None
                return
            noes.append((question.power, no))
        self._feed(noes)

    def _feed(self, answers: Sequence[tuple[str, Order]]) -> None:
        assert self.live is not None
        play = self.live.playing()
        wait = play.wait
        try:
            for power, order in answers:
                if play.wait is wait:
                    play.answer(power, order, _NoDice())
        except _DiceAsked:
            self.live = None

    def _own_questions(self) -> list[Question]:
        assert self.live is not None
        play, own = self.live.playing(), self.live.campaign.powers_of(self.seat)
        return [question for question in play.questions() if question.power in own and not play.answered(question)]

    def _note(self) -> None:
        """Let the copy of the campaign know what is asked by now."""
        live = self.live
        assert live is not None
        campaign = live.campaign
        campaign.asks = course.asks_of(live)
        clock = {**next(iter(campaign.clocks.values())), "over": False}
        campaign.clocks = {ask["key"]: campaign.clocks.get(ask["key"], clock) for ask in campaign.asks}
        own_turn = program_kinds(live.kit)
        for question in self._own_questions():
            if not own_turn or question.kind in own_turn:
                self.kinds += [kind for kind in question.orders if kind not in self.kinds]


def read(live: Live, seat: str, lines: Sequence[Line], names: Mapping[str, str]) -> list[type[Order]]:
    """Find out what lines in other words mean that stand below others: each gets its full order, or what is asked back
    for it. Returns the kinds of order that the mail was written for."""
    orders = [line for line in lines if not isinstance(line.order, Command)]
    is_clear = all(line.problem is None or line.loose for line in lines)  # else nothing of it is done
    if not is_clear or not any(line.order is None and line.loose for line in orders[1:]):
        return meaning.kinds_asked(live, seat)
    ahead = Ahead(live, seat)
    begun = waits = False
    for line in orders:
        if isinstance(line.order, Next):
            waits = begun
            if not begun and not _begins(live, seat, orders):
                break  # all of it waits, and is asked back before anything is done
        elif waits or ahead.live is None or isinstance(line.order, ForAll):
            ahead.live = None
            if line.order is None and begun:
                _as_it_would_wait(live, ahead, line, names)
            begun = True
        elif not _goes_on(ahead, line, names, begun=begun):
            break
        else:
            begun = True
    return ahead.kinds


def _begins(live: Live, seat: str, orders: Sequence[Line]) -> bool:
    below = [line.order for line in orders[1:] if line.order is not None]
    try:
        return programs.next_begins(live, seat, below, programs.Progress(0))
    except Refused:
        return False


def _goes_on(ahead: Ahead, line: Line, names: Mapping[str, str], *, begun: bool) -> bool:
    """Whether the lines below one are reached in the ordinary course of things."""
    while True:
        live = ahead.live
        assert live is not None
        try:
            order = line.order or meaning.meant_by(live, ahead.seat, line, names)
            if order is not None:
                ahead.take(order)
                line.ahead = order
                return True
        except Refused as error:
            if not ahead.decline():
                if line.order is None and begun and error.code == "several_readings":
                    line.unclear = error
                return False
            continue
        if not ahead.decline():
            break
    if not line.ends and begun:
        _as_it_would_wait(live, ahead, line, names)
        ahead.live = None
    return True


def _as_it_would_wait(live: Live, ahead: Ahead, line: Line, names: Mapping[str, str]) -> None:
    """Read a line by its words alone."""
    try:
        line.ahead = meaning.meant_later(live, ahead.kinds, line, names)
    except Refused as error:
        line.unclear = error
    else:
        line.loose = line.loose and (line.ahead is not None or line.ends)


def reached(live: Live, seat: str, lines: Sequence[Line], names: Mapping[str, str]) -> Iterator[Live]:
    """How things stand for each of some lines once those above it are carried out, in the ordinary course of things; as
    they stand now where that cannot be known."""
    ahead: Ahead | None = None
    last = max((at for at, line in enumerate(lines) if line.problem is not None and not line.loose), default=0)
    is_known = True
    for at, line in enumerate(lines):
        goes_back = ahead is not None and _goes_back(live, seat, line.text)
        yield live if ahead is None or ahead.live is None or not is_known or goes_back else ahead.live
        if not is_known or at >= last or isinstance(line.order, Command) or not (line.order or line.loose):
            continue
        ahead = ahead or Ahead(live, seat)
        is_known = not isinstance(line.order, Next | ForAll) and ahead.live is not None
        is_known = is_known and _goes_on(ahead, line, names, begun=False)


def _goes_back(live: Live, seat: str, text: str) -> bool:
    """Whether a line takes back what stands above it: it begins with a no, or says with a verb for what is asked now
    what else is meant."""
    kit, kinds, words = live.kit, meaning.kinds_asked(live, seat), loose.words_of(text, loose.MOST_SAID)
    says_no = any(means(word, "no", kit) for word in words[: talk.FIRST_WORDS])
    acts = any(loose.kind_of_verb(kinds, word, kit) is not None for word in words)
    return talk.hedges(text, kit) and (says_no or acts)
