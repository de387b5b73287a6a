"""Corrections of a game by its moderator: rulings, the end of a step, and rewinds, each tried on a copy first."""

from __future__ import annotations

import logging
import random
import re
from collections.abc import Sequence
from typing import Any

from pbem.campaign import course, rulings
from pbem.campaign.acts import Act
from pbem.campaign.campaign import Campaign
from pbem.campaign.live import Live
from pbem.campaign.rulings import RulingRefused
from pbem.campaign.split import Split
from pbem.render.narrative import RULING
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.facts import BadFact, Fact, apply_all, difference
from pbem.table.game import Game
from pbem.table.procedure import Play, Table
from pbem.table.said import Said

log = logging.getLogger(__name__)

_NUMBER = re.compile(r"\d+")

ROUNDS_TRIED = 6
"""How many times all are answered for on a copy, after a ruling that is made against the game's watch."""


def rule(act: Act, facts: Sequence[Fact], reason: str, insists: str | None = None) -> int:
    """Change the board by a moderator's facts at the open question. Raises `RulingRefused`."""
    live = act.live
    play = live.playing()
    whole = try_ruling(live, facts, insists)
    split = course.split_of(live)
    outcome = course.hearing(live, split, lambda: play.rule(whole))
    change = {"fed": outcome.fed, "asks": course.asks_of(live), "clocks": act.campaign.clocks}
    return act.write("ruling", public={"reason": reason}, split=split, change=change, played=True)


def try_ruling(live: Live, facts: Sequence[Fact], insists: str | None = None) -> list[Fact]:
    """Try `rule` on a copy, with dice that are not the campaign's; returns the facts with all that goes with them.

    Raises `RulingRefused`; `RulingBreaks` where the game's watch finds something wrong. With `insists`, why it is to be
    so nevertheless, the game is played on from there for a while instead, and what is broken is told among the facts.
    """
    try:
        whole = _with_all(live, facts, insists)
        rulings.check_leaving(live.campaign.board_now(), whole)
        trial = live.spare_play()
        trial.rule(whole)
        live.game.next_step(live.table(trial.table.board.copy()))  # the board tells where the game goes on from
        rulings.draw(trial.table.board, live.kit)
        _play_on(trial, ROUNDS_TRIED if insists else 1)
    except RulingRefused:
        raise
    except Exception as error:  # whatever the rules make of it, it happens on the copy and is told
        raise RulingRefused(Said(
            "the game could not go on after this ruling: %(said)s; rewind to the start of the step first, or end the "
            "step by the ruling", said=rulings.stopped_by(error, live.campaign.id),
        )) from error  # fmt: skip
    return whole


def _play_on(trial: Play, rounds: int) -> None:
    """Answer by chance all that is asked, so many times, with dice that are not the campaign's."""
    chance = random.Random(1)
    for _ in range(rounds):
        rulings.check_asked(trial)
        for power in trial.waiting_for():
            question = trial.question_for(power)
            if question is not None and not trial.over:
                trial.answer(power, question.sample(trial.table, chance), RandomThrows(1))
    rulings.check_asked(trial)


def _with_all(live: Live, facts: Sequence[Fact], insists: str | None) -> list[Fact]:
    """The facts of a ruling with what the rules make of them by themselves, checked: no number beyond its bounds, no
    place that the game has not, and nothing broken that must always hold and that was whole before.

    The game's own watch looks at each fact by itself, as it does in play-outs, and then at everything. Raises
    `RulingRefused`; `RulingBreaks` for what the watch finds, unless the moderator `insists`: then a fact tells it.
    """
    before = live.campaign.board_now()
    rulings.check_bounds(live.game.bounds(live.table(before)), facts)
    rulings.check_places(before, live.kit, facts)
    rulings.check_players(before, live.game, live.kit, live.campaign.scenario, facts)
    whole = what_goes_with(live, facts)
    after = apply_all(before.copy(), whole)
    broken = _faults(live, before, [])  # in the midst of a step some may not hold
    known = {_NUMBER.sub("", fault) for fault in broken}
    faults = [fault for fact in whole for fault in _faults(live, after, [fact]) if fault not in broken]
    faults += [fault for fault in _faults(live, after, []) if _NUMBER.sub("", fault) not in known]
    if not faults:
        return whole
    faults = list(dict.fromkeys(faults))
    if not insists:
        raise rulings.RulingBreaks(faults)
    hidden = rulings.touches_hidden(before, whole)
    return [*whole, rulings.insisted(insists, [] if hidden else faults)]


def can_be(game: Game, table: Table, facts: Sequence[Fact], first: Sequence[Fact]) -> list[bool]:
    """Of each fact of ``state`` or ``piece``, whether a ruling with it alone, after others (`first`), would break
    nothing that must always hold and that is whole without it. Raises `BadFact` where the first do not fit.

    The table has a copy of the campaign's board, so that its orders need not wait while the game's watch is asked
    hundreds of times. Each fact is taken back again on this board, since to copy it for each takes seconds."""
    board = apply_all(table.board, rulings.completed(table.board, first))
    bounds, broken = game.bounds(table), game.faults(table)

    def fits(fact: Fact) -> bool:
        whole = rulings.filled_in(board, fact)
        back = {**whole, "before": whole["after"], "after": whole["before"]}
        try:
            rulings.check_bounds(bounds, [fact])
            rulings.check_places(board, table.kit, [fact])
            apply_all(board, [whole])
            try:
                for table.facts in ([whole], []):
                    if any(fault not in broken for fault in game.faults(table)):
                        return False
                return True
            finally:
                apply_all(board, [back])
        except (BadFact, RulingRefused):
            return False
        except Exception:  # whatever the rules make of it, it happens on a copy: it is not offered
            log.info("a choice of a ruling cannot be looked at", exc_info=True)
            return False

    return [fits(fact) for fact in facts]


def what_goes_with(live: Live, facts: Sequence[Fact]) -> list[Fact]:
    """The facts of a ruling, and what the rules make of them by themselves (`Game.follow`), but for what the ruling
    itself says otherwise and what would follow without it; points that it states are made up for (`Game.make_up`).
    Before a power changes hands, its hand is laid down."""
    before = live.campaign.board_now()
    table = live.table(before.copy())
    for fact in facts:
        if fact["fact"] == "players":
            for power in rulings.changing_hands(fact):
                live.game.lay_down(table, power)
        table.do(fact)
    ruled = {rulings.subject_of(fact) for fact in facts}
    as_it_was = _following(live, before.copy())
    for fact in _following(live, table.board.copy()):
        if fact not in as_it_was and rulings.subject_of(fact) not in ruled:
            table.do({**fact, "why": RULING} if fact["fact"] != "happened" else fact)
    live.game.make_up(table, facts)
    return table.facts


def _following(live: Live, board: Board) -> list[Fact]:
    """What the rules make of a board by themselves."""
    table = live.table(board)
    live.game.follow(table)
    return table.facts


def _faults(live: Live, board: Board, facts: list[Fact]) -> Sequence[str]:
    """What the game finds wrong with a board after these facts; with all of it, after none."""
    table = live.table(board.copy())
    table.facts = facts
    return live.game.faults(table)


def end_step(act: Act, facts: Sequence[Fact], reason: str, insists: str | None = None) -> None:
    """End the open step by a ruling: the board after these facts is a point of rest. Raises `RulingRefused`."""
    live = act.live
    whole = try_ending(live, facts, insists)
    table = live.table(act.campaign.board_now())
    split = course.split_of(live)
    table.watch = split.hear
    for fact in whole:
        table.do(fact)
    change = {"back": course.to_rest(), "sealed": {}, "texts": {}, "status": "running", "reason": None}
    act.write("ruling", public={"reason": reason, "ends_step": True}, split=split, change=change, played=True)
    course.restart_step(act, reason)


def try_ending(live: Live, facts: Sequence[Fact], insists: str | None = None) -> list[Fact]:
    """Try `end_step` on a copy, as `try_ruling` tries a ruling."""
    table = live.table(live.campaign.board_now())
    try:
        whole = _with_all(live, facts, insists)
        for fact in whole:
            table.do(fact)
        rulings.draw(table.board, live.kit)
        trial = Play(live.game, live.table(table.board.copy()))
        trial.start(RandomThrows(1))
        _play_on(trial, ROUNDS_TRIED if insists else 0)
    except RulingRefused:
        raise
    except Exception as error:  # as above
        why = rulings.stopped_by(error, live.campaign.id)
        raise RulingRefused(Said("the game could not go on after this ruling: %(said)s", said=why)) from error
    return whole


def play_at(live: Live, old: Campaign) -> Play:
    """The game as it was at an earlier event, if it can go back to there. Raises `ReplayDiffers`, `ValueError`."""
    if old.board is None:
        raise ValueError(Said("the game had not begun at event %(event)s; choose a later one", event=old.version))
    play = live.play_of(old)
    if play.over:
        raise ValueError(Said("the game was over at event %(event)s; choose an earlier one", event=old.version))
    if play.wait is not None and not play.waiting_for():
        # Nobody would be asked there, and the round would lie answered and unresolved.
        raise ValueError(Said(
            "event %(event)s is the last answer of a round, which the next event resolves; go back to event "
            "%(before)s, and this answer is asked for again, or to event %(after)s",
            event=old.version, before=old.version - 1, after=old.version + 1,
        ))  # fmt: skip
    return play


def rewind(act: Act, old: Campaign, reason: str) -> int:
    """Go back to what the campaign was at an earlier event (`old`). Raises as `play_at` does."""
    live = act.live
    play = play_at(live, old)
    assert old.board is not None
    then = old.board_now()
    split = course.restore(live, act.campaign.board_now(), then)
    back = {"to_rest": difference(then, old.board), "facts": old.facts, "entries": old.entries}
    live.play, live.differs = play, None
    change = {"back": back, "sealed": old.sealed, "texts": old.texts, "queue": {}, "rest_event": old.rest_event}
    change |= course.asked_from(act, act.at)
    change["quiet"] = change["question"]
    number = _back(act, split, change, {"reason": reason, "to": old.version})
    live.resume()  # as every other process will have it
    return number


def rewind_step(act: Act, reason: str) -> int:
    """Go back to the start of the open step, and begin it anew."""
    campaign = act.campaign
    assert campaign.board is not None
    split = course.restore(act.live, campaign.board_now(), campaign.board)
    change = {"back": course.to_rest(), "sealed": {}, "texts": {}, "queue": {}}
    number = _back(act, split, change, {"reason": reason, "to_step": True})
    course.restart_step(act, reason, quiet=True)
    return number


def _back(act: Act, split: Split, change: dict[str, Any], public: dict[str, Any]) -> int:
    if act.campaign.status == "held":
        change |= {"status": "running", "reason": None}
    if "asks" in change:
        public |= course.told_of(change)
    return act.write("rewound", public=public, split=split, change=change, played=True)
