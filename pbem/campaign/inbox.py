"""The durable inbox: every submission gets its number here, and what came of it lies beside it.

A submission is either received, to be taken up later, or entered with all that comes of it in one transaction, where
nothing waits before it. Its number is one more than the last in both cases, and the store refuses it twice.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, insert, literal_column, select, update

from pbem.campaign import guard
from pbem.campaign.clock import stamp
from pbem.campaign.group import GroupCommit
from pbem.campaign.store import Store
from pbem.campaign.submissions import Answer, Received, Submission
from pbem.campaign.tables import NEW
from pbem.campaign.vault import SecretLost, Vault, may_hold_token, without_tokens

ROWS_AT_ONCE = 20

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass
class _Arrival:
    """A submission on its way into the inbox: its row, whose number is given there, and the raw mail."""

    row: dict[str, Any]
    raw: bytes | None


class Inbox:
    """The inboxes of all campaigns. Close it at the end. `domain` is that of the service's mails."""

    def __init__(self, store: Store, vault: Vault, domain: str):
        self.store, self.vault, self.domain = store, vault, domain
        self._last: dict[str, int] = {}
        self._worked_off: dict[str, int] = {}
        self._arrivals = GroupCommit(self._write)
        t, counters = store.tables.inbox, store.tables.inbox_counters
        mine = t.c.campaign == bindparam("of")
        numbered = (mine, t.c.number == bindparam("nr"))
        self._next_number = (
            update(counters)
            .where(counters.c.campaign == bindparam("of"))
            .values(last=counters.c.last + 1)
            .returning(counters.c.last)
        )
        waits = select(t.c.number).where(mine, t.c.state == NEW).exists()
        self._state = select(counters.c.last, waits).where(counters.c.campaign == bindparam("of"))
        self._new_rows = (
            select(t.c.campaign, t.c.number, t.c.seat, t.c.generation, t.c.channel, t.c.received_at, t.c.lines)
            .where(mine, t.c.state == NEW)
            .order_by(t.c.number)
            .limit(literal_column(str(ROWS_AT_ONCE)))
        )
        self._finish_row = (
            update(t).where(*numbered).values(state=bindparam("as_state"), answer=bindparam("as_answer"))
        )
        self._cut_row = update(t).where(*numbered).values(lines=bindparam("as_lines"))
        self._insert_row = insert(t)
        self._insert_raw = insert(store.tables.raws).returning(store.tables.raws.c.number)
        self._count = update(counters).where(counters.c.campaign == bindparam("of")).values(last=bindparam("nr"))
        self._intend = insert(store.tables.outbox)

    def close(self) -> None:
        """Write what waits to be written."""
        self._arrivals.close()

    def open(self, campaign: str) -> Any:
        """The statement that opens the inbox of a new campaign."""
        return insert(self.store.tables.inbox_counters).values(campaign=campaign, last=0)

    # in

    def receive(self, submission: Submission, seat: str, generation: int) -> int:
        """Store a submission durably; returns its number, the old one for what was received before."""
        row = self._row(submission, seat, generation, 0) | {"state": "new", "answer": None}
        arrival = _Arrival(row, submission.raw)
        try:
            self._arrivals.submit(arrival)
        except self.store.integrity_error:
            same = self._same(row)
            if same is None:
                raise
            return same
        return arrival.row["number"]

    def _write(self, group: Sequence[_Arrival]) -> None:
        """Put submissions into their inboxes in one transaction, and their numbers into their rows."""
        run = self.store.run
        ordered = sorted(group, key=lambda one: one.row["campaign"])  # as every process locks the counters
        with self.store.change() as cursor:
            for one in ordered:
                row, raw = one.row, None
                run(cursor, "next_number", self._next_number, {"of": row["campaign"]})
                ((row["number"],),) = cursor.fetchall()
                if one.raw is not None:
                    content = {"received_at": row["received_at"], "content": self.vault.lay_by(one.raw)}
                    run(cursor, "insert_raw", self._insert_raw, content)
                    ((raw,),) = cursor.fetchall()
                run(cursor, "insert_row", self._insert_row, row | {"raw": raw})
        self._last.update((one.row["campaign"], one.row["number"]) for one in ordered)

    def _same(self, row: dict[str, Any]) -> int | None:
        """The number of what was received before and is the same; None where there is none, or can be none."""
        if row["identity"] is None:
            return None
        t = self.store.tables.inbox
        with self.store.read() as connection:
            return connection.execute(
                select(t.c.number).where(t.c.campaign == row["campaign"], t.c.identity == row["identity"])
            ).scalar()

    def _row(self, submission: Submission, seat: str, generation: int, number: int) -> dict[str, Any]:
        return {
            "campaign": submission.campaign, "number": number, "seat": seat, "generation": generation,
            "channel": submission.channel, "received_at": stamp(submission.received_at),
            "identity": submission.identity(seat), "message_id": submission.message_id, "remote": submission.remote,
            "lines": json.dumps(self.as_kept(submission.campaign, submission.lines)),
        }  # fmt: skip

    def as_kept(self, campaign: str, lines: Sequence[str]) -> list[str]:
        """Lines as they are kept and taken up: without a live secret, and without what no store takes."""
        if guard.may_hold_secret("".join(lines)):
            lines = guard.without_secrets(lines, guard.live_tokens(self.store, campaign.casefold()))
        return [_plain(line) for line in lines]

    def entry(self, submission: Submission, seat: str, generation: int) -> Received | None:
        """A submission as it can be taken up before it is in the inbox; None where something waits before it, or where
        it is a mail, whose raw text is to be stored whatever becomes of it."""
        number = None if submission.raw is not None else self._next_if_idle(submission.campaign)
        if number is None:
            return None
        row = self._row(submission, seat, generation, number)
        lines = json.loads(row["lines"])
        return Received(
            submission.campaign, number, seat, generation, submission.channel, row["received_at"], lines, row
        )

    def _next_if_idle(self, campaign: str) -> int | None:
        """The number that comes next; None where something is still to be taken up.

        Nothing is when all up to the last number given was: what another process has received since has the number
        that this one would give next.
        """
        last = self._last.get(campaign)
        if last is None or self._worked_off.get(campaign) != last:
            ((last, waits),) = self.store.fetch("inbox", self._state, {"of": campaign})
            if waits:
                return None
        return last + 1

    # out

    def with_mail(self) -> list[str]:
        """The campaigns in whose inboxes something waits."""
        t = self.store.tables.inbox
        with self.store.read() as connection:
            return list(connection.execute(select(t.c.campaign).where(t.c.state == NEW).distinct()).scalars())

    def waiting(self, campaign: str) -> list[Received]:
        """What waits to be taken up, the first `ROWS_AT_ONCE`."""
        rows = self.store.fetch("new_rows", self._new_rows, {"of": campaign})
        return [Received(*(*row[:6], json.loads(row[6]))) for row in rows]

    def waits_before(self, campaign: str, moment: str) -> bool:
        """Whether something waits that was received up to a moment."""
        t = self.store.tables.inbox
        with self.store.read() as connection:
            number = connection.execute(
                select(t.c.number)
                .where(t.c.campaign == campaign, t.c.state == NEW, t.c.received_at <= moment)
                .limit(1)
            ).scalar()
        return number is not None

    def is_open(self, received: Received) -> bool:
        """Whether it is still to be taken up, and its number its own: another process may have been faster."""
        if received.entry is not None:
            self.forget(received.campaign)
            is_free = self._next_if_idle(received.campaign) == received.number
            return is_free and self._same(received.entry) is None
        t = self.store.tables.inbox
        with self.store.read() as connection:
            state = connection.execute(
                select(t.c.state).where(t.c.campaign == received.campaign, t.c.number == received.number)
            ).scalar()
        return state == "new"

    def finish(self, received: Received, answer: Answer, state: str, now: str) -> list[Any]:
        """The statements that keep what came of a submission beside it, and let a mail be answered."""
        text = _encode(answer.to_json())
        if may_hold_token(text):
            text = _encode(without_tokens(answer.to_json()))
        lines = without_tokens(received.lines)
        prepare, numbered = self.store.prepare, {"of": received.campaign, "nr": received.number}
        if received.entry is None:
            beside = [prepare("finish_row", self._finish_row, {**numbered, "as_state": state, "as_answer": text})]
            if lines != received.lines:
                beside.append(prepare("cut_row", self._cut_row, {**numbered, "as_lines": json.dumps(lines)}))
        else:
            values = received.entry | {"raw": None, "state": state, "answer": text, "lines": json.dumps(lines)}
            beside = [prepare("count_row", self._count, numbered), prepare("insert_row", self._insert_row, values)]
        if received.channel == "mail":
            beside.append(prepare("intend", self._intend, {
                "campaign": received.campaign, "seat": received.seat, "kind": "answer", "first_event": answer.event,
                "last_event": answer.event, "inbox": received.number, "press": None, "data": "{}",
                "message_id":
                    f"<{received.campaign}.inbox-{received.number}.answer.{received.seat}@{self.domain}>",
                "state": "pending", "created_at": now, "not_before": None, "attempts": 0,
            }))  # fmt: skip
        return beside

    def finished(self, received: Received) -> None:
        """All up to this submission is known to be taken up."""
        if received.entry is not None:
            self._last[received.campaign] = self._worked_off[received.campaign] = received.number

    def forget(self, campaign: str) -> None:
        """Ask the store for the next number of a campaign."""
        self._last.pop(campaign, None)
        self._worked_off.pop(campaign, None)

    # what lies there

    def answer(self, campaign: str, number: int) -> Answer | None:
        """The answer to a submission; None as long as it has not been taken up."""
        t = self.store.tables.inbox
        with self.store.read() as connection:
            text = connection.execute(select(t.c.answer).where(t.c.campaign == campaign, t.c.number == number)).scalar()
        return None if text is None else Answer.from_json(json.loads(text))

    def answer_to(self, received: Received) -> Answer | None:
        """The answer to a submission whose save seemed to fail, where it is stored after all."""
        t = self.store.tables.inbox
        same = [t.c.campaign == received.campaign, t.c.number == received.number, t.c.seat == received.seat,
                t.c.received_at == received.received_at, t.c.lines == json.dumps(received.lines)]  # fmt: skip
        with self.store.read() as connection:
            text = connection.execute(select(t.c.answer).where(*same)).scalar()
        return None if text is None else Answer.from_json(json.loads(text))

    def lines(self, campaign: str, number: int) -> list[str] | None:
        """The lines of a submission; None where there is none."""
        t = self.store.tables.inbox
        with self.store.read() as connection:
            text = connection.execute(select(t.c.lines).where(t.c.campaign == campaign, t.c.number == number)).scalar()
        return None if text is None else json.loads(text)

    def rows(self, campaign: str, limit: int = 100) -> list[dict[str, Any]]:
        """The newest submissions, for the moderator's desk: all columns of table ``inbox`` but the answer's text."""
        t = self.store.tables.inbox
        with self.store.read() as connection:
            rows = connection.execute(
                select(t).where(t.c.campaign == campaign).order_by(t.c.number.desc()).limit(limit)
            )
            return [{**row._mapping, "lines": json.loads(row.lines)} for row in rows]

    def raw_mail(self, campaign: str, number: int) -> bytes | None:
        """A mail as it was received; None where there is none, or none that this key opens."""
        t = self.store.tables
        with self.store.read() as connection:
            content = connection.execute(
                select(t.raws.c.content)
                .join(t.inbox, t.inbox.c.raw == t.raws.c.number)
                .where(t.inbox.c.campaign == campaign, t.inbox.c.number == number)
            ).scalar()
        try:
            return None if content is None else self.vault.take_out(content)
        except SecretLost:
            return None


def _plain(line: str) -> str:
    """A line without what no store takes: NUL and lone surrogates."""
    return line.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
