"""A campaign in the memory of one process: the aggregate, and the play that runs beside it.

Every method that moves the campaign writes events on the aggregate; nothing is stored before `Service` saves them all
at once. After any exception the whole object is dropped, since a running procedure cannot be set back.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert, select, update

from pbem import games
from pbem.campaign import deadlines, guard, kept, ledger, rulings
from pbem.campaign.campaign import Administered, Campaign, Created, Event, Own, Played, merge
from pbem.campaign.clock import stamp
from pbem.campaign.store import Store
from pbem.campaign.vault import Vault
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.dice import CommittedThrows, DiceTree, RandomThrows
from pbem.table.facts import Fact, difference
from pbem.table.kit import Kit
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Game, Outcome, Play, Procedure, ReplayDiffers, Table, ranking
from pbem.table.questions import Question, Window

OPENED_AT_ONCE = 200
"""How many parts one event opens when a campaign ends."""

HELD = "the rules differ from the record of the open step"
"""All that is said aloud of a held campaign: where they differ may quote hidden things, and is for the referee."""

_OPEN_KINDS = frozenset(("state", "units", "piece", "happened", "roll", "sight", "open", "reorder"))

PUT_RIGHT = "an earlier program took the order of the seats for the order of play; from now on it is: %s"
"""The reason of the event that puts the order of play of a running campaign right."""



class RulingRefused(ValueError):
    """A ruling after which the game could not go on; says why, and what to do first."""


@dataclass
class Split:
    """Facts as they fall, in the form that each reader gets."""

    seats: Mapping[str, Sequence[str]]
    public: list[Fact] = field(default_factory=list)
    own: dict[str, list[Own]] = field(default_factory=dict)
    referee: list[Own] = field(default_factory=list)
    number: int = 0

    def hear(self, table: Table, fact: Fact) -> None:
        """Take a fact that the table has just done."""
        self.number += 1
        if fact["fact"] in _OPEN_KINDS and "to" not in fact:
            self.public.append(fact)
            return
        board, place = table.board, len(self.public)
        for_all = sight.seen_by(board, fact, sight.PUBLIC)
        instead = 0 if for_all is None else 1
        if for_all != fact:
            self.referee.append([place, instead, fact])
        for seat, powers in self.seats.items():
            form = sight.seen_by(board, fact, powers)
            if form is not None and form != for_all:
                self.own.setdefault(seat, []).append([place, instead, form])
        if for_all is not None:
            self.public.append(for_all)


class _TreeOnDemand:
    """A tree of the dice that is made when something is thrown: most orders throw nothing."""

    def __init__(self, number: int, size: int, make: Callable[[], DiceTree]):
        self.tree, self.size = number, size
        self._make = make
        self._made: DiceTree | None = None

    def spent(self, leaf: int) -> bool:
        """As `DiceTree.spent`, without making the tree."""
        return self.size - leaf < max(1, self.size // 8)

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = self._make()
        return getattr(self._made, name)


class Live:
    """One campaign, ready to go on, and what the act that is now done to it carries along (`begin`)."""

    def __init__(self, campaign: Campaign, store: Store, vault: Vault, kit: Kit):
        self.campaign = campaign
        self.store, self.vault, self.kit = store, vault, kit
        self.game = games.find_game(campaign.game)
        self.kinds = list(self.game.orders)
        self.begin()
        self.play: Play | None = None
        self.differs: str | None = None
        """Where the rules differ from the record; may quote hidden facts."""
        self._trees: dict[int, DiceTree] = {}
        if campaign.board is not None and campaign.status in ("running", "paused", "held"):
            self._resume()

    def begin(self, submission: int | None = None) -> None:
        """An act begins: what the one before carried along is gone, so that nothing hangs on what a process remembers.

        `submission` is its number in the inbox, if it came from there.
        """
        self.submission = submission
        self.beside: list[Any] = []
        """Statements to be saved with the events of the act."""
        self.cast = ""
        """C of the last event of the act that threw; fixes, with their own text, the dice of standing orders that it
        set off."""
        self.worked: list[tuple[str, str, Any]] = []
        """What became of queued lines: (seat, line, `LineResult`)."""

    def _resume(self) -> None:
        campaign = self.campaign
        assert campaign.board is not None
        try:
            table = self._table(campaign.board.copy())
            self.play = Play.resume(self.game, table, campaign.facts, campaign.entries, campaign.sealed)
        except ReplayDiffers as error:
            self.play, self.differs = None, str(error)

    def _table(self, board: Board) -> Table:
        return Table(board, self.kit, self.campaign.options, game=self.game)

    def spare_play(self) -> Play:
        """The play again on a board of its own, for what must not touch the campaign. Raises `ReplayDiffers`."""
        campaign = self.campaign
        assert campaign.board is not None
        table = self._table(campaign.board.copy())
        return Play.resume(self.game, table, campaign.facts, campaign.entries, campaign.sealed)

    # writing events

    def write(
        self,
        kind: str,
        at: datetime,
        *,
        public: Mapping[str, Any] | None = None,
        own: Mapping[str, Mapping[str, Any]] | None = None,
        referee: Mapping[str, Any] | None = None,
        order: tuple[str | None, str] | None = None,
        split: Split | None = None,
        throws: CommittedThrows | None = None,
        change: Mapping[str, Any] | None = None,
        played: bool = False,
    ) -> int:
        """Put an event on the aggregate; returns its number.

        `order` is (seat or None, text as sent). What `throws` has used is proved in the public part and counted on.
        Raises `pbem.campaign.guard.HoldsSecret` for a reason with a live token in it.
        """
        campaign = self.campaign
        if reason := (public or {}).get("reason"):
            guard.check(self.store, str(reason), campaign.id)
        for_all: dict[str, Any] = {"at": stamp(at), **(public or {})}
        for_seats = {seat: dict(content) for seat, content in (own or {}).items()}
        for_referee = dict(referee or {})
        changed = dict(change or {})
        if split is not None and split.number:
            for_all["facts"] = split.public
            if split.referee:
                for_referee["facts"] = split.referee
            for seat, facts in split.own.items():
                for_seats.setdefault(seat, {})["facts"] = facts
        blind_key = None
        if throws is not None and throws.used:
            assert throws.commitment is not None
            self.cast = throws.commitment.hex()
            for_all["throws"] = throws.proofs()
            blind_key = throws.blind_key
            changed |= {"tree": throws.tree.tree, "leaf": throws.start + len(throws.used)}
        if "order" in for_all:
            if blind_key is None:
                del for_all["order"]
            else:
                for_all["order"] = {"text": for_all["order"], "blind_key": blind_key.hex()}
        sent = ledger.order_part(*order, blind_key) if order is not None else None
        parts = ledger.event_parts(list(campaign.seats), for_all, for_seats, for_referee, sent)
        sealed = ledger.seal(campaign.version + 1, kind, campaign.head, parts)
        campaign.trigger_event(
            Played if played else Administered,
            timestamp=at,
            sealed=sealed.to_json(),
            change=changed,
            submission=self.submission,
        )
        self._commit_next_tree(at)
        return sealed.header["number"]

    # dice

    def throws(self, text: str) -> CommittedThrows:
        """The dice of an event that begins now, fixed by a text."""
        campaign = self.campaign
        tree, leaf = self._tree(campaign.tree), campaign.leaf
        if tree.spent(leaf) and campaign.tree + 1 < len(campaign.trees):
            tree, leaf = self._tree(campaign.tree + 1), 0
        return CommittedThrows(tree, leaf, text.encode())

    def _tree(self, number: int) -> DiceTree:
        if number not in self._trees:
            size = self.campaign.trees[number]["size"]
            self._trees[number] = _TreeOnDemand(number, size, lambda: self._make_tree(number, size))  # type: ignore[assignment]
        return self._trees[number]

    def _make_tree(self, number: int, size: int) -> DiceTree:
        found = self.store.fetch("crown", self.store.crown_of, {"of": self.campaign.id, "nr": number})
        return DiceTree(self.secret(), number, size, bytes(found[0][0]) if found else None)

    def secret(self) -> bytes:
        """The dice secret. Raises `pbem.campaign.vault.SecretLost`."""
        ((sealed,),) = self.store.fetch("secret", self.store.secret_of, {"of": self.campaign.id})
        return self.vault.open(sealed)

    def _commit_next_tree(self, at: datetime) -> None:
        campaign = self.campaign
        if not campaign.trees or campaign.tree + 1 < len(campaign.trees) or campaign.status in ("finished", "archived"):
            return
        last = campaign.trees[campaign.tree]
        if 8 * (last["size"] - campaign.leaf) >= 3 * last["size"]:  # as `DiceTree.due`, without making the tree
            return
        tree = DiceTree(self.secret(), campaign.tree + 1, last["size"])
        self._trees[tree.tree] = tree
        self.beside.append(
            insert(self.store.tables.trees).values(campaign=campaign.id, tree=tree.tree, crown=tree.crown)
        )
        commitment = tree.commitment()
        self.write("dice", at, public={"dice": commitment}, change={"trees": [*campaign.trees, commitment]})

    def renew_dice(self, secret: bytes, reason: str, at: datetime) -> None:
        """The secret of the dice is lost: commit to a tree of a new one, from which all is thrown from now on."""
        campaign, tables = self.campaign, self.store.tables
        tree = DiceTree(secret, len(campaign.trees), campaign.trees[campaign.tree]["size"])
        self._trees = {tree.tree: tree}
        self.beside += [
            update(tables.secrets)
            .where(tables.secrets.c.campaign == campaign.id)
            .values(sealed=self.vault.seal(secret)),
            insert(tables.trees).values(campaign=campaign.id, tree=tree.tree, crown=tree.crown),
        ]
        change = {"trees": [*campaign.trees, tree.commitment()], "tree": tree.tree, "leaf": 0}
        self.write("dice", at, public={"dice": {**tree.commitment(), "lost": True}, "reason": reason}, change=change)

    # the game goes on

    def start(self, at: datetime) -> None:
        """Set the board up and come to the first question."""
        campaign = self.campaign
        powers = self._play_order()
        table = self._table(Board(campaign.game, powers))
        split = self._split()
        table.watch = split.hear
        self.game.set_up(table, campaign.scenario)
        laid_out = split.number
        throws = self.throws("the game begins")
        self.play = Play(self.game, table)
        outcome = self.play.start(throws)
        table.watch = None
        change = {"powers": powers, "status": "running", "rest": laid_out + (outcome.rest_at or 0)}
        self._moved("started", at, split, throws, change, public={"powers": powers, "order": "the game begins"})

    def _play_order(self) -> list[str]:
        held = [held["powers"] for held in self.campaign.seats.values()]
        return self.game.play_order(self.kit, self.campaign.scenario, held)

    def out_of_order(self) -> bool:
        """Whether the board has its powers in another order than the game says: the campaign was begun by a program
        that took the order of the seats."""
        board, order = self.campaign.board, self._play_order()
        return board is not None and board.powers != order and sorted(board.powers) == sorted(order)

    def _put_in_order(self, at: datetime) -> None:
        """Put the order of play right, at a point of rest that the game lets it change at; all are told."""
        table = self._table(self.campaign.board_now())
        split = self._split()
        table.watch = split.hear
        before, after = list(table.board.powers), self._play_order()
        table.do({"fact": "reorder", "before": before, "after": after})
        reason = PUT_RIGHT % ", ".join(after)
        change = {"rest": split.number}
        self.write("reordered", at, public={"reason": reason, "powers": after}, split=split, change=change, played=True)

    def restart_step(self, at: datetime, reason: str, *, quiet: bool = False) -> None:
        """Begin the step anew that the board at the last point of rest calls for.

        Its dice are fixed by its place in the game: the number of the question that it takes the place of, which no
        act of administration moves. `quiet`: no standing order answers its first question.
        """
        campaign = self.campaign
        assert campaign.board is not None
        text = f"the step begins again at question {campaign.question}"
        throws = self.throws(text)
        self.play = Play(self.game, self._table(campaign.board.copy()))
        self.differs = None
        split, outcome = self._collect(lambda: self.play.start(throws))  # type: ignore[union-attr]
        change: dict[str, Any] = {"rest": outcome.rest_at or 0}
        if quiet:
            change["quiet"] = campaign.question + 1
        self._moved(
            "restarted", at, split, throws, change, public={"order": text, "reason": reason}
        )

    def answer(
        self,
        seat: str,
        power: str,
        order: Order,
        text: str,
        at: datetime,
        *,
        kind: str = "order",
        cause: str = "",
        change: Mapping[str, Any] | None = None,
    ) -> tuple[list[int], list[Fact]]:
        """Take an order up as the answer to the open question of a power.

        `text` is the order as sent; `cause` is added to what fixes the throws (for a standing order: the C of what set
        it off); `change` goes with it. Returns the numbers of the events, and the facts as the seat sees them.
        Raises `Refused`, and then nothing has changed.
        """
        play, campaign = self._playing(), self.campaign
        question = play.check(power, order)
        wait = play.wait
        assert wait is not None
        changed = dict(change or {})
        if campaign.seats[seat].get("newcomer"):  # he plays, so the seat is his
            changed["seats"] = {**campaign.seats, seat: {**campaign.seats[seat], "newcomer": False}}
        split = self._split()
        if not wait.is_sealed:
            fixed = f"{text}\n{cause}" if cause else text
            throws = self.throws(fixed)
            outcome = self._hearing(split, lambda: play.answer(power, order, throws))
            changed |= self._fed(outcome)
            number = self._moved(kind, at, split, throws, changed, public={"power": power}, order=(seat, fixed))
            return [number], self.facts_for(seat, split)
        earlier = campaign.texts.get(question.key)
        said = [*(earlier or []), text] if isinstance(wait, Window) else text
        texts = {**campaign.texts, question.key: said}
        round_text = _round_text(wait.questions, texts)
        throws = self.throws(round_text)
        outcome = self._hearing(split, lambda: play.answer(power, order, throws))
        sealed = wait.answers_to_json(play.sealed) if not outcome.closed else (outcome.fed or {}).get("answers", {})
        changed |= {"sealed": sealed, "texts": texts}
        if not outcome.closed:
            changed["asks"] = self._asks()
            return [self.write(kind, at, order=(seat, text), change=changed, played=True)], []
        number = self.write(kind, at, order=(seat, text), change=changed, played=True)
        closing = self._moved("round", at, split, throws, self._fed(outcome), order=(None, round_text))
        return [number, closing], self.facts_for(seat, split)

    def expire(self, at: datetime, now: datetime) -> int:
        """Silence answers what is still open. Raises `NoDefault`, and then the play is to be dropped if sealed."""
        play, campaign = self._playing(), self.campaign
        wait = play.wait
        assert wait is not None
        missed = play.waiting_for()
        place = f"the deadline of question {campaign.question} ({campaign.kind})"
        text = f"{place}\n{_round_text(wait.questions, campaign.texts)}" if campaign.texts else place
        throws = self.throws(text)
        split, outcome = self._collect(lambda: play.expire(throws))
        seats = {seat: dict(held) for seat, held in campaign.seats.items()}
        late = list(dict.fromkeys(campaign.seat_of_power(power) for power in missed))
        for seat in late:
            seats[seat] = {
                **seats[seat],
                "missed": {"kind": campaign.kind, "deadline": campaign.deadline, "question": campaign.question},
            }
        # A window closes by its clock: nobody has missed anything, and who had not said that he was done is his affair.
        told = [] if campaign.window else missed
        public: dict[str, Any] = {"missed": told, "deadline": campaign.deadline, "question": campaign.question}
        if not campaign.texts:
            public["order"] = text
        order = (None, text) if campaign.texts else None
        change = {**self._fed(outcome), "seats": seats}
        return self._moved("expired", at, split, throws, change, public=public, order=order, asked_at=now)

    def rule(self, facts: Sequence[Fact], reason: str, at: datetime) -> int:
        """Change the board by a moderator's facts at the open question. Raises `RulingRefused`."""
        play = self._playing()
        self.try_ruling(facts)
        split, outcome = self._collect(lambda: play.rule(facts))
        change = {"fed": outcome.fed, "asks": self._asks()}
        return self.write("ruling", at, public={"reason": reason}, split=split, change=change, played=True)

    def try_ruling(self, facts: Sequence[Fact]) -> None:
        """Try `rule` on a copy, with dice that are not the campaign's. Raises `RulingRefused`."""
        advice = "rewind to the start of the step first, or end the step by the ruling"
        try:
            trial = self.spare_play()
            trial.rule(facts)
            faults = self.game.faults(trial.table)
            if not faults:
                rulings.draw(trial.table.board, self.kit)
                for power in trial.waiting_for():
                    question = trial.question_for(power)
                    if question is not None and not trial.over:
                        order = question.sample(trial.table, random.Random(1))
                        trial.answer(power, order, RandomThrows(1))
        except Exception as error:  # whatever the rules make of it, it happens on the copy and is told
            why = rulings.stopped_by(error, self.campaign.id)
            raise RulingRefused(f"the game could not go on after this ruling: {why}; {advice}") from error
        if faults:
            raise RulingRefused(f"the ruling breaks what must always hold: {'; '.join(faults)}; {advice}")

    def end_step(self, facts: Sequence[Fact], reason: str, at: datetime) -> None:
        """End the open step by a ruling: the board after these facts is a point of rest. Raises `RulingRefused`."""
        self.try_ending(facts)
        table = self._table(self.campaign.board_now())
        split = self._split()
        table.watch = split.hear
        for fact in facts:
            table.do(fact)
        back = {"to_rest": [], "facts": [], "entries": []}
        change = {"back": back, "sealed": {}, "texts": {}, "status": "running", "reason": None}
        self.write("ruling", at, public={"reason": reason, "ends_step": True}, split=split, change=change, played=True)
        self.restart_step(at, reason)

    def try_ending(self, facts: Sequence[Fact]) -> None:
        """Try `end_step` on a copy, with dice that are not the campaign's. Raises `RulingRefused`."""
        table = self._table(self.campaign.board_now())
        try:
            for fact in facts:
                table.do(fact)
            faults = self.game.faults(table)
            rulings.draw(table.board, self.kit)
            trial = Play(self.game, self._table(table.board.copy()))
            trial.start(RandomThrows(1))
        except Exception as error:  # as above
            why = rulings.stopped_by(error, self.campaign.id)
            raise RulingRefused(f"the game could not go on after this ruling: {why}") from error
        if faults:
            raise RulingRefused(f"the ruling breaks what must always hold: {'; '.join(faults)}")

    def rewind(self, old: Campaign, reason: str, at: datetime) -> int:
        """Go back to what the campaign was at an earlier event (`old`). Raises `ReplayDiffers`, `ValueError`."""
        if old.board is None:
            raise ValueError(f"the game had not begun at event {old.version}")
        then = old.board_now()
        assert old.board is not None
        play = Play.resume(self.game, self._table(old.board.copy()), old.facts, old.entries, old.sealed)
        if play.over:
            raise ValueError(f"the game was over at event {old.version}")
        split = self._restore(self.campaign.board_now(), then)
        back = {"to_rest": difference(then, old.board), "facts": old.facts, "entries": old.entries}
        self.play, self.differs = play, None
        change = {"back": back, "sealed": old.sealed, "texts": old.texts, "queue": {}, "rest_event": old.rest_event}
        change |= self._asked(at)
        change["quiet"] = change["question"]
        number = self._back("rewound", at, split, change, {"reason": reason, "to": old.version})
        self._resume()  # as every other process will have it
        return number

    def rewind_step(self, reason: str, at: datetime) -> int:
        """Go back to the start of the open step, and begin it anew."""
        campaign = self.campaign
        assert campaign.board is not None
        split = self._restore(campaign.board_now(), campaign.board)
        back = {"to_rest": [], "facts": [], "entries": []}
        change = {"back": back, "sealed": {}, "texts": {}, "queue": {}}
        number = self._back("rewound", at, split, change, {"reason": reason, "to_step": True})
        self.restart_step(at, reason, quiet=True)
        return number

    def change_kit(self, kit: Kit, reason: str, at: datetime) -> None:
        """Go on under a corrected kit; only `may_change_kit` says when."""
        campaign = self.campaign
        assert campaign.board is not None
        split = self._restore(campaign.board_now(), campaign.board)
        self.kit = kit
        back = {"to_rest": [], "facts": [], "entries": []}
        change = {"back": back, "sealed": {}, "texts": {}, "kit": kit.hash, "pending_kit": None}
        self.write("kit", at, public={"kit": kit.hash, "reason": reason}, split=split, change=change, played=True)
        self.restart_step(at, reason)

    def may_change_kit(self) -> bool:
        """Whether the game is at a point of rest: the open step has taken no answer and thrown nothing."""
        campaign = self.campaign
        return (
            not campaign.entries
            and not campaign.sealed
            and not any(f["fact"] in ("roll", "draw") for f in campaign.facts)
        )

    def _back(self, kind: str, at: datetime, split: Split, change: dict[str, Any], public: dict[str, Any]) -> int:
        if self.campaign.status == "held":
            change |= {"status": "running", "reason": None}
        if self.campaign.status == "paused" and change.get("deadline"):
            seconds = deadlines.seconds_between(at, change["deadline"])
            change |= {"remaining": seconds, "deadline": None, "wake": None}
        for name in ("asks", "deadline"):
            if name in change:
                public[name] = _without_answers(change[name]) if name == "asks" else change[name]
        return self.write(kind, at, public=public, split=split, change=change, played=True)

    def _restore(self, now: Board, then: Board) -> Split:
        """The facts that lead back, split for their readers."""
        table = self._table(now)
        split = self._split()
        table.watch = split.hear
        for fact in difference(now.copy(), then):
            table.do(fact)
        if _without_empty(now) != _without_empty(then):
            raise RuntimeError("the facts of the rewind do not lead to the board of that event")
        return split

    # helpers

    def _playing(self) -> Play:
        if self.play is None:
            raise Refused(HELD if self.differs else "the game has not begun")
        return self.play

    def _split(self) -> Split:
        return Split({seat: held["powers"] for seat, held in self.campaign.seats.items()})

    def _collect(self, act: Callable[[], Outcome]) -> tuple[Split, Outcome]:
        split = self._split()
        return split, self._hearing(split, act)

    def _hearing(self, split: Split, act: Callable[[], Outcome]) -> Outcome:
        play = self._playing()
        table = play.table
        if self.campaign.pending_kit or self.out_of_order():
            play.game = _AtRest(self.game, self._waits_for_rest)  # type: ignore[assignment]
        table.watch = split.hear
        try:
            return act()
        finally:
            table.watch = None

    def _waits_for_rest(self, table: Table) -> bool:
        """Whether something that may only happen at a point of rest is to happen at this one."""
        return self.campaign.pending_kit is not None or self._may_be_put_in_order(table)

    def _may_be_put_in_order(self, table: Table) -> bool:
        return self.out_of_order() and self.game.may_reorder(table)

    def _at_rest(self, at: datetime) -> None:
        """Do what waited for this point of rest."""
        reordered = self._may_be_put_in_order(self._playing().table)
        if reordered:
            self._put_in_order(at)
        if self.campaign.pending_kit is not None:
            kit = kept.read_kit(self._stored_kit(self.campaign.pending_kit))
            self.change_kit(kit, "the corrected kit takes effect", at)
        elif reordered:
            self.restart_step(at, "the order of play is put right")

    def _fed(self, outcome: Outcome) -> dict[str, Any]:
        if outcome.rest_at is not None:
            return {"rest": outcome.rest_at, "sealed": {}, "texts": {}}
        return {"fed": outcome.fed, "sealed": {}, "texts": {}}

    def _moved(
        self,
        kind: str,
        at: datetime,
        split: Split,
        throws: CommittedThrows,
        change: dict[str, Any],
        *,
        public: Mapping[str, Any] | None = None,
        order: tuple[str | None, str] | None = None,
        asked_at: datetime | None = None,
    ) -> int:
        """Write an event after which the game has gone on: with the question that is open now, or its end."""
        play = self._playing()
        asked = self._asked(asked_at or at)
        if self.campaign.window:
            change["closed_window"] = self.campaign.kind
        told: dict[str, Any] = {"asks": _without_answers(asked["asks"]), "deadline": asked["deadline"]}
        number = self.write(
            kind,
            at,
            public={**(public or {}), **told},
            order=order,
            split=split,
            throws=throws,
            change={**change, **asked},
            played=True,
        )
        if isinstance(play.game, _AtRest) and play.game.stopped:
            self._at_rest(at)
        elif play.over:
            self.finish(at)
        return number

    def _stored_kit(self, hash: str) -> str:
        kits = self.store.tables.kits
        with self.store.read() as connection:
            return connection.execute(select(kits.c.content).where(kits.c.hash == hash)).scalar_one()

    def _asks(self) -> list[dict[str, Any]]:
        play, campaign = self._playing(), self.campaign
        waiting = {q.key for q in play.questions() if not play.answered(q)}
        return [
            {
                "power": q.power,
                "seat": campaign.seat_of_power(q.power),
                "kind": q.kind,
                "key": q.key,
                "answered": q.key not in waiting,
            }
            for q in play.questions()
        ]

    def _asked(self, at: datetime) -> dict[str, Any]:
        """What the campaign remembers of the question that has just been opened."""
        play, campaign = self._playing(), self.campaign
        if play.over or play.wait is None:
            return {
                "asks": [],
                "kind": None,
                "window": False,
                "deadline": None,
                "wake": None,
                "reminders": [],
                "grace": None,
                "asked_at": None,
            }
        kind = play.wait.kind
        change = {
            "question": campaign.question + 1,
            "kind": kind,
            "window": isinstance(play.wait, Window),
            "asks": self._asks(),
            "asked_at": stamp(at),
            "grace": None,
        }
        return change | deadlines.set_deadline(campaign, at, at + timedelta(hours=self.hours(kind)))

    def hours(self, kind: str) -> float:
        """How long a question of a kind stays open in this campaign."""
        times = self.campaign.policy.get("times", {})
        chosen = times.get(kind, times.get("default"))
        return self.kit.hours(kind) if chosen is None else chosen

    def facts_for(self, seat: str, split: Split) -> list[Fact]:
        """The facts of a split as a seat sees them."""
        return merge(split.public, split.own.get(seat, []))

    # the end

    def finish(self, at: datetime, reason: str | None = None) -> None:
        """The campaign is over: the results, the secret of the dice, and everything that was hidden."""
        campaign = self.campaign
        public: dict[str, Any] = {"secret": self.secret().hex()}
        if campaign.board is not None:
            table = self.play.table if self.play else self._table(campaign.board_now())
            public["results"] = ranking(self.game, table, [held["powers"] for held in campaign.seats.values()])
        if reason:
            public["reason"] = reason
        change = {
            "status": "finished",
            "reason": reason,
            "asks": [],
            "kind": None,
            "window": False,
            "deadline": None,
            "wake": None,
            "remaining": None,
            "queue": {},
            "standing": {},
        }
        self.write("finished", at, public=public, change=change)
        openings: list[dict[str, Any]] = []
        last = campaign.version
        for event in self._whole_stream():
            if event.originator_version > last:
                break
            link = event.link
            openings += [
                ledger.opening(link, part)
                for part in link.parts
                if part != ledger.PUBLIC and link.parts[part]["content"] != "{}"
            ]
            while len(openings) >= OPENED_AT_ONCE:
                self.write("opened", at, public={"opened": openings[:OPENED_AT_ONCE]})
                openings = openings[OPENED_AT_ONCE:]
        if openings:
            self.write("opened", at, public={"opened": openings})

    def _whole_stream(self) -> Iterable[Event]:
        pending = list(self.campaign.pending_events)
        if pending and pending[0].originator_version == 1:
            yield from pending  # type: ignore[misc]
            return
        yield from self.store.stored(self.campaign.id)
        yield from pending  # type: ignore[misc]


def _without_empty(board: Board) -> dict[str, Any]:
    """A board as JSON without empty piles and tracks: to have been emptied, or never to have been, is the same."""
    plain = board.to_json()
    return {**plain, **{part: {k: v for k, v in plain[part].items() if v} for part in ("piles", "tracks")}}


class _AtRest:
    """A game that stops at the next point of rest, for what may only happen there."""

    def __init__(self, game: Game, stops: Callable[[Table], bool]):
        self._game, self._stops = game, stops
        self.stopped = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        found = self._game.next_step(table)
        self.stopped = found is not None and self._stops(table)
        return None if self.stopped else found


def _without_answers(asks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Who is asked what, without saying who has answered."""
    return [{name: value for name, value in ask.items() if name != "answered"} for ask in asks]


def _round_text(questions: Sequence[Question], texts: Mapping[str, Any]) -> str:
    """What fixes the dice of a sealed round: all its answers as sent, in the order of the questions."""
    return ledger.canonical([[q.key, texts[q.key]] for q in questions if q.key in texts]).decode()


def create(
    store: Store,
    vault: Vault,
    kit: Kit,
    at: datetime,
    *,
    campaign: str,
    title: str,
    scenario: str,
    options: dict[str, Any],
    policy: dict[str, Any],
    seats: Sequence[str],
    secret: bytes,
) -> Live:
    """A new campaign, not yet saved: its first event commits to the dice before anything else happens."""
    tree = DiceTree(secret)
    commitment = tree.commitment()
    public = {
        "at": stamp(at), "campaign": campaign, "game": kit.game, "title": title, "scenario": scenario,
        "options": options, "policy": policy, "kit": kit.hash, "seats": list(seats), "dice": commitment,
    }  # fmt: skip
    sealed = ledger.seal(1, "created", ledger.FIRST_PREVIOUS, ledger.event_parts(list(seats), public))
    blank = {"powers": [], "accepted": False, "generation": 1, "extensions": 0, "missed": None}
    change = {
        "title": title, "game": kit.game, "scenario": scenario, "options": options, "policy": policy,
        "kit": kit.hash, "seats": {seat: dict(blank) for seat in seats}, "trees": [commitment],
    }  # fmt: skip
    event = Created(campaign, 1, at, sealed.to_json(), change)
    live = Live(Campaign.create(campaign, event), store, vault, kit)
    live._trees[0] = tree
    tables = store.tables
    live.beside += [
        insert(tables.secrets).values(campaign=campaign, sealed=vault.seal(secret)),
        insert(tables.trees).values(campaign=campaign, tree=0, crown=tree.crown),
    ]
    return live
