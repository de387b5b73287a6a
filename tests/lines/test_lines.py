"""Lines as people write them, sent through the one door as those of a mail: what each is understood as.

``<game>.yaml`` holds situations: a position, arranged as in a case (`pbem.rehearse`), the lines that lead from there to
a question, who is asked it (``who``), and ``lines`` that he may send, also as the ``french`` and the ``russian`` write
them, ``bare`` ones without a verb, and ``hostile`` ones, which a careless reader would take for orders. Beside each
stands what a human means by it: the full line; ``asked back``, or a list of full lines that have to stand in the
answer, where it may mean several things; ``no order`` where nothing may be done. Each has to be understood so, but for
those marked as not understood yet (``{not yet: PLAY 31 FOR CP}``), which may be few, and lose the mark with the change
that understands them. Whatever is carried out is taken back by a rewind before the next line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem import rehearse
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, Submission
from pbem.games import find_game

HERE = Path(__file__).parent
GAMES = sorted(file.stem for file in HERE.glob("*.yaml"))
WRITTEN = ("lines", "french", "russian", "bare", "hostile")
MOST_MARKED = 5
"""So many lines of 100 that mean something may be marked as not understood yet."""
ASKED_BACK, NO_ORDER, NOT_YET = "asked back", "no order", "not yet"


@dataclass
class Tally:
    """What came of the lines of a game."""

    meant: int = 0
    understood: int = 0
    missed: list[str] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)


class Campaign:
    """A campaign in the position of a situation."""

    def __init__(self, service: Service, clock: ManualClock, situation: dict[str, Any], game: str):
        self.service, self.clock = service, clock
        seats = situation["seats"]
        number = seats if isinstance(seats, int) else len(seats)
        self.id = service.create(
            game, number, scenario=situation.get("scenario"), options=situation.get("options") or {}
        )
        ids = [f"seat{n + 1}" for n in range(number)]
        names = situation.get("players") or {}
        self.tokens = {}
        if not isinstance(seats, int):
            self.invite(ids, {seat: names.get(power, seat) for seat, power in zip(ids, seats, strict=True)})
            service.assign(self.id, dict(zip(ids, seats, strict=True)))
        else:
            self.invite(ids, {})
        service.start(self.id)
        for entry in situation.get("play") or []:
            for power, lines in entry.items():
                answer = self.send(power, *([lines] if isinstance(lines, str) else lines))
                assert answer.ok, (situation["who"], power, lines, [(one.reason, one.hints) for one in answer.lines])

    def invite(self, seats: list[str], names: dict[str, str]) -> None:
        for seat in seats:
            self.tokens[seat] = self.service.invite(self.id, seat, names.get(seat, seat), f"{seat}@example.net")
            self.service.accept(self.id, seat)

    def seat(self, power: str) -> str:
        held = self.service.status(self.id).seats
        return next(seat for seat, one in held.items() if power in one["powers"])

    def send(self, power: str, *lines: str) -> Answer:
        seat = self.seat(power)
        self.clock.advance(minutes=1)
        token = self.tokens[seat]
        return self.service.submit(Submission(self.id, list(lines), self.clock.now(), channel="mail", token=token))

    def event(self) -> int:
        return self.service.status(self.id).event


def arranged(game: Any, situation: dict[str, Any]) -> Any:
    """The set-up of a game with what a situation arranges after it."""
    begun = game.set_up

    def set_up(table: Any, scenario: str) -> None:
        begun(table, scenario)
        for entry in situation.get("arrange") or []:
            for name, value in entry.items():
                rehearse.arrange(game, table, name, value)

    return set_up


def situations(game: str) -> Iterator[dict[str, Any]]:
    yield from yaml.safe_load((HERE / f"{game}.yaml").read_text())


def judge(tally: Tally, line: str, expected: Any, answer: Answer) -> None:
    """What came of a line beside what was meant."""
    is_marked = isinstance(expected, dict)
    expected = expected[NOT_YET] if is_marked else expected
    (result,) = answer.lines or [None]
    state, order = (result.state, result.order) if result else ("unreadable", None)
    told = (result.reason, result.hints[:4]) if result else None
    done = state in ("accepted", "queued")
    if done and order != expected:
        tally.wrong.append(f"{line!r} was taken as {order!r} where it means {expected!r}")
    elif expected == NO_ORDER:
        return
    else:
        tally.meant += 1
        several = result is not None and result.state == "refused" and len(result.hints) > 1
        if expected == ASKED_BACK:
            right = several
        elif isinstance(expected, list):
            right = several and set(expected) <= set(result.hints)
        else:
            right = done
        tally.understood += right
        if right and is_marked:
            tally.unmarked.append(f"{line!r} is understood now: take the mark away")
        if not right and not is_marked:
            tally.missed.append(f"{line!r} should be {expected!r}; it is {state} {told}")


def said(answer: Answer) -> list[Any]:
    """What an answer says, but for the facts that came of it."""
    lines = [(one.state, one.order, one.reason, one.section, one.hints, one.text) for one in answer.lines]
    return [answer.note, *lines]


def tried(game: str, written: str, folder: Path) -> Tally:
    tally, clock = Tally(), ManualClock()
    played = find_game(game)
    for number, situation in enumerate(situations(game)):
        if written not in situation:
            continue
        service = Service(Settings(var=folder / str(number), domain="example.org"), clock)

        def begun(service: Service = service, situation: dict[str, Any] = situation) -> Campaign:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(played, "set_up", arranged(played, situation), raising=False)
                return Campaign(service, clock, situation, game)

        campaign = begun()
        for line, expected in situation[written].items():
            before = campaign.event()
            checked = service.check(campaign.id, campaign.seat(situation["who"]), [line])
            answer = campaign.send(situation["who"], line)
            if (before_it := said(checked)) != (after_it := said(answer)):
                tally.unlike.append(f"{line!r} was checked as {before_it}, and answered with {after_it}")
            judge(tally, line, expected, answer)
            if campaign.event() > before and any(one.state in ("accepted", "queued") for one in answer.lines):
                if service.status(campaign.id).state == "finished":
                    campaign = begun()
                else:
                    service.rewind(campaign.id, before, "to send another line")
        service.close()
    return tally


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("game", GAMES)
def test_lines_as_people_write_them_are_understood_and_none_is_misunderstood(game, written, tmp_path):
    tally = tried(game, written, tmp_path)
    print(f"{game}, {written}: {tally.understood} of {tally.meant} lines understood")
    assert not tally.wrong, "\n".join(tally.wrong)
    assert not tally.unlike, "\n".join(tally.unlike)
    assert not tally.missed, "\n".join(tally.missed)
    assert not tally.unmarked, "\n".join(tally.unmarked)


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("game", GAMES)
def test_few_lines_are_marked_as_not_understood_yet(game, written):
    meant = [
        expected for situation in situations(game) for expected in situation.get(written, {}).values()
        if expected != NO_ORDER
    ]  # fmt: skip
    marked = [expected for expected in meant if isinstance(expected, dict)]
    assert all(set(expected) == {NOT_YET} for expected in marked)
    assert 100 * len(marked) <= MOST_MARKED * len(meant)
