"""Reading a campaign: what a reader sees at any event, the ledger as he may read it, a disputed roll, and bundles.

A reader is a seat's id, None for everybody, or ``referee`` for all there is (the moderator's reading of which is an
event, see `Service.ask_referee`). Once a campaign is finished everything is open, and every reader reads as the referee
does.
"""

from __future__ import annotations

import json
import threading
from bisect import bisect_right
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import delete, insert, select

from pbem.campaign import ledger
from pbem.campaign.campaign import Campaign, Event, Played, merge
from pbem.campaign.clock import stamp
from pbem.campaign.status import Known
from pbem.campaign.store import Store
from pbem.table.board import Board
from pbem.table.facts import Fact, apply_all

CHECKPOINT_EVERY = 500
CHECKPOINT_FORM = 1
_BOARDS_KEPT = 2_000
_INDEXES_KEPT = 200
_NOT_TOLD = {"facts", "throws", "opened"}


@dataclass(frozen=True)
class Glance(Known):
    """What a campaign remembered at one of its events, without its board: see `pbem.campaign.changes.State`."""

    kit: str
    question: int
    deadline: str | None
    queue: dict[str, list[str]]
    standing: dict[str, list[dict[str, Any]]]
    undone: list[list[int]]
    rest_event: int
    texts: dict[str, Any]
    window: bool


class Queries:
    """The reading side of the service; its methods have the names of `Service`'s."""

    def __init__(self, store: Store):
        self.store = store
        self._boards: OrderedDict[tuple[str, str], tuple[int, Board]] = OrderedDict()
        self._throws: OrderedDict[str, tuple[int, list[tuple[int, int, int]]]] = OrderedDict()
        self._guard = threading.Lock()

    # the board at an event

    def view(self, campaign: Glance, reader: str | None, event: int | None = None) -> Board:
        """The board as a reader sees it after an event: the fold of the parts that he may read."""
        last = campaign.version
        wanted = last if event is None else event
        if not 0 <= wanted <= last:
            raise ValueError(f"there is no event {wanted}; the last is {last}")
        name = reader_of(campaign, reader)
        at, board = self._nearest(campaign, name, wanted)
        for stored in self.store.stored(campaign.id, at + 1, wanted):
            board = fold_view(board, stored, name)
            at = stored.originator_version
            if at % CHECKPOINT_EVERY == 0:
                self._keep_checkpoint(campaign.id, name, at, board)
        if event is None or event == last:
            self._keep(campaign.id, name, wanted, board.copy())
        return board

    def _keep(self, campaign: str, name: str, event: int, board: Board) -> None:
        with self._guard:
            self._boards[campaign, name] = (event, board)
            self._boards.move_to_end((campaign, name))
            if len(self._boards) > _BOARDS_KEPT:
                self._boards.popitem(last=False)

    def _nearest(self, campaign: Glance, name: str, wanted: int) -> tuple[int, Board]:
        kept = self._boards.get((campaign.id, name))
        if kept is not None and kept[0] <= wanted and wanted - kept[0] <= wanted % CHECKPOINT_EVERY:
            return kept[0], kept[1].copy()
        checkpoints = self.store.tables.checkpoints
        if wanted >= CHECKPOINT_EVERY:
            with self.store.read() as connection:
                row = connection.execute(
                    select(checkpoints.c.event, checkpoints.c.board)
                    .where(
                        checkpoints.c.campaign == campaign.id,
                        checkpoints.c.reader == name,
                        checkpoints.c.event <= wanted,
                        checkpoints.c.form == CHECKPOINT_FORM,
                    )
                    .order_by(checkpoints.c.event.desc())
                    .limit(1)
                ).one_or_none()
            if row is not None and (kept is None or kept[0] > wanted or kept[0] < row.event):
                return row.event, Board.from_json(json.loads(row.board))
        if kept is not None and kept[0] <= wanted:
            return kept[0], kept[1].copy()
        return 0, Board(campaign.game, [])

    def _keep_checkpoint(self, campaign: str, name: str, event: int, board: Board) -> None:
        checkpoints = self.store.tables.checkpoints
        kept = json.dumps(board.to_json(), ensure_ascii=False, separators=(",", ":"))
        same = (checkpoints.c.campaign == campaign, checkpoints.c.reader == name, checkpoints.c.event == event)
        row = {"campaign": campaign, "reader": name, "event": event, "form": CHECKPOINT_FORM, "board": kept}
        try:
            with self.store.write(lazy=True) as connection:
                connection.execute(delete(checkpoints).where(*same))
                connection.execute(insert(checkpoints).values(row))
        except sqlalchemy.exc.IntegrityError:
            return  # another reader has kept the same board

    # the ledger

    def events(
        self, campaign: Glance, reader: str | None, start: int = 1, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """What a reader may read of events `start` to `stop`, both included; see `read_event` for the form.

        Besides, ``undone``: the number of the event by which a rewind has undone it; None where it stands.
        """
        name = reader_of(campaign, reader)
        return [
            {**read_event(stored, name), "undone": undone_by(campaign, stored)}
            for stored in self.store.stored(campaign.id, start, stop)
        ]

    # a roll

    def audit(self, campaign: Glance, reader: str | None, roll: int, tree: int = 0) -> dict[str, Any]:
        """Everything about random event `roll` of a dice tree, as far as a reader may know it.

        ``event, kind, at, tree, index``; ``cause``: the order as received that set it off (``{seat, text,
        blind_key}``), or None where the reader may not read it; ``fact``: the roll or draw itself (``what``, who, dice,
        section);
        ``before, after``: the other facts of the event around it, as modifiers and results; ``proof``; ``board_before,
        board_after``: the board by replay, before the event and after it. Raises `LookupError` for a roll that was not.
        """
        name = reader_of(campaign, reader)
        thrown = self._thrown(campaign)
        at = bisect_right(thrown, (tree, roll, campaign.version)) - 1
        for stored in self.store.stored(campaign.id, thrown[at][2], thrown[at][2]) if at >= 0 else ():
            proofs = stored.content(ledger.PUBLIC)["throws"]
            proof = next((p for p in proofs if (p["tree"], p["index"]) == (tree, roll)), None)
            if proof is not None:
                return self._audit(campaign, name, stored, proof)
        raise LookupError(f"random event {roll} of tree {tree} has not been thrown in campaign {campaign.id}")

    def _thrown(self, campaign: Glance) -> list[tuple[int, int, int]]:
        """The events that threw, each as (tree, its first index, its number); indices only ever go up. The stream is
        read once for that, and what is stored later when somebody asks again."""
        with self._guard:
            upto, known = self._throws.get(campaign.id, (0, []))
        if upto < campaign.version:
            throws = list(known)
            for stored in self.store.stored(campaign.id, upto + 1, campaign.version):
                if '"throws":' in stored.sealed["parts"][ledger.PUBLIC]["content"]:
                    first = stored.content(ledger.PUBLIC)["throws"][0]
                    throws.append((first["tree"], first["index"], stored.originator_version))
            known = throws
            with self._guard:
                self._throws[campaign.id] = (campaign.version, known)
                self._throws.move_to_end(campaign.id)
                if len(self._throws) > _INDEXES_KEPT:
                    self._throws.popitem(last=False)
        return known

    def _audit(self, campaign: Glance, name: str, stored: Event, proof: dict[str, Any]) -> dict[str, Any]:
        read = read_event(stored, name)
        facts = read["facts"]
        at = next(i for i, f in enumerate(facts) if f["fact"] in ("roll", "draw") and f.get("index") == proof["index"])
        number = stored.originator_version
        reader = None if name == ledger.PUBLIC else name
        return {
            "event": number, "kind": read["kind"], "at": read["at"], "tree": proof["tree"], "index": proof["index"],
            "cause": read["order"], "fact": facts[at], "before": facts[:at], "after": facts[at + 1 :], "proof": proof,
            "root": campaign.trees[proof["tree"]], "hash": read["hash"],
            "board_before": self.view(campaign, reader, number - 1).to_json(),
            "board_after": self.view(campaign, reader, number).to_json(),
        }  # fmt: skip

    # bundles

    def export(self, campaign: Glance, reader: str | None, file: Path) -> str:
        """Write what a reader may see as a bundle that `pbem verify` checks; returns its digest."""
        readers = [] if reader is None else [reader]
        meta = ledger.bundle_meta(campaign.id, campaign.game, readers, campaign.trees)
        records = (ledger.open_for(stored.link, readers) for stored in self.store.stored(campaign.id))
        with file.open("wb") as opened:
            return ledger.write_bundle(opened, meta, records)


def check_seat(campaign: Glance | Campaign, seat: str | None) -> None:
    """Raise `ValueError` for a seat that there is not; None is everybody."""
    if seat is not None and seat not in campaign.seats:
        raise ValueError(f"there is no seat {seat}; there are {', '.join(campaign.seats)}")


def reader_of(campaign: Glance, reader: str | None) -> str:
    """The part that a reader reads besides the public one. Raises `ValueError` for one who is no reader."""
    if reader not in (None, ledger.REFEREE, *campaign.seats):
        raise ValueError(f"there is no seat {reader}; there are {', '.join(campaign.seats)}")
    if campaign.status in ("finished", "archived"):
        return ledger.REFEREE
    return reader or ledger.PUBLIC


def facts_for(stored: Event, name: str) -> list[Fact]:
    """The facts of an event as a reader has them."""
    public = stored.content(ledger.PUBLIC)
    own = [] if name == ledger.PUBLIC else stored.content(name).get("facts", [])
    return merge(public.get("facts", []), own)


def fold_view(board: Board, stored: Event, name: str) -> Board:
    """Fold what a reader may read of an event into his view; returns the view."""
    content = stored.sealed["parts"][ledger.PUBLIC]["content"]
    if stored.kind == "started":
        board = Board(board.game, list(stored.content(ledger.PUBLIC)["powers"]))
    if '"facts":' not in content and (
        name == ledger.PUBLIC or '"facts":' not in stored.sealed["parts"][name]["content"]
    ):
        return board
    return apply_all(board, facts_for(stored, name))


def read_event(stored: Event, name: str) -> dict[str, Any]:
    """An event as a reader has it.

    ``{number, kind, at, hash, facts, public, own, order, throws}``: `facts` in their order with the reader's own in
    place; `public` and `own` the rest of these parts; `order` ``{seat, text, blind_key}`` where the reader may read it,
    or the public cause of a throw, else None; `throws` the proofs.
    """
    link = stored.link
    public = link.content(ledger.PUBLIC)
    own = {} if name == ledger.PUBLIC else link.content(name)
    order = link.content(ledger.ORDER) or None
    if order is not None and name != ledger.REFEREE and order.get("seat") != name:
        order = None
    if order is None and "order" in public:
        order = {"seat": None, **public["order"]}
    return {
        "number": stored.originator_version,
        "kind": stored.kind,
        "at": public.get("at") or stamp(stored.timestamp),
        "hash": link.hash,
        "facts": merge(public.get("facts", []), own.get("facts", [])),
        "public": {k: v for k, v in public.items() if k not in _NOT_TOLD},
        "own": {k: v for k, v in own.items() if k != "facts"},
        "order": order,
        "throws": public.get("throws", []),
    }


def undone_by(campaign: Glance, stored: Event) -> int | None:
    """The number of the rewind that has undone an event of the game; what is administered is never undone."""
    if not isinstance(stored, Played):
        return None
    number = stored.originator_version
    return next((by for first, last, by in campaign.undone if first <= number <= last), None)


__all__ = [
    "Glance", "Queries", "check_seat", "facts_for", "fold_view", "read_event", "reader_of",
]  # fmt: skip
