"""The tables beside the stream: what may be erased, what may be rebuilt, and what must not lie in the stream.

Times are texts of `pbem.campaign.clock.stamp`, JSON is text, so that the same statements serve SQLite and PostgreSQL,
through SQLAlchemy's connections and through the recorder's own. A change here needs a migration
(`pbem.campaign.migrations`).

``inbox``        every submission, numbered within its campaign; `answer` is written with the events that it caused
``inbox_counters``  the last number given in each campaign
``raws``         mails as received
``persons``      people, whatever they play: address, language, time zone, absence, how much of the board they want in
                 mails; `known_as`, the address in small letters, is what a person is known by
``sittings``     a person at a seat, from when until when (None: still): by what name, how he wants reports, what he
                 has been told of the board, why it ended
``lapses``       deadlines that a person missed
``tokens``       SHA-256 of each seat's token, and the token encrypted, for Reply-To
``sign_outs``    how often a seat was signed out: a session of its pages from before is over
``press``        press texts with the salts of their commitments
``kits``         kits by hash
``secrets``      the dice secret of each campaign, encrypted
``trees``        the crown of each dice tree (not secret, saves hashing)
``checkpoints``  what a reader sees at an event, to begin folding from (a cache)
``campaigns, outbox, trackings``  read models, see `pbem.campaign.readmodels`
``enclosures, enclosed``  pictures of the mails in the outbox, see `pbem.campaign.enclosures`
``heartbeats, gaps``  the ways in (and ``out``), and when they were down
``closed_ways``  the ways, in or out, that are known to be closed: since when, and why
``strays``       mails that belong to no seat, for the desk; see `pbem.mail.room`
``new_addresses``  addresses that persons want their mails at, until the link that was sent there is followed
``desk_links``   links that moderators have asked for to log in with: SHA-256 of their tokens
``moderators, moderated``  accounts of the desk, and which campaigns each runs; see `pbem.campaign.moderators`
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ColumnClause,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)
from sqlalchemy.types import BigInteger

# Written out, not bound: a partial index serves only statements that are seen to keep to its rows.
NEW: ColumnClause[str] = literal_column("'new'")
PENDING: ColumnClause[str] = literal_column("'pending'")
FAILED: ColumnClause[str] = literal_column("'failed'")
SET_ASIDE: ColumnClause[str] = literal_column("'set_aside'")
OPEN: list[ColumnClause[str]] = [literal_column(f"'{state}'") for state in ("pending", "claimed", "rendered")]
MAY_GO_OUT = [*OPEN, FAILED]  # a moderator can have tried again what was given up

_Number = BigInteger().with_variant(Integer, "sqlite")


class Tables:
    """All tables, in one schema (None on SQLite). Every index has a name, the same in every schema."""

    def __init__(self, schema: str | None = None):
        self.metadata = MetaData(schema=schema)
        self._inbox(self.metadata)
        self._people(self.metadata)
        self._beside_the_streams(self.metadata)
        self._read_models(self.metadata)
        self._ways(self.metadata)
        self._desk(self.metadata)

    def _inbox(self, metadata: MetaData) -> None:
        """What comes in."""
        self.inbox = Table(
            "inbox",
            metadata,
            Column("campaign", String, primary_key=True),
            Column("number", Integer, primary_key=True),
            Column("seat", String, nullable=False),
            Column("generation", Integer, nullable=False),
            Column("channel", String, nullable=False),
            Column("received_at", String, nullable=False),
            Column("identity", String),
            Column("message_id", String),
            Column("remote", String),
            Column("lines", Text, nullable=False),
            Column("raw", Integer),
            Column("state", String, nullable=False),  # new, done, set_aside
            Column("answer", Text),
            UniqueConstraint("campaign", "identity", name="inbox_identity"),
        )
        Index(
            "inbox_new",
            self.inbox.c.campaign,
            self.inbox.c.number,
            sqlite_where=self.inbox.c.state == NEW,
            postgresql_where=self.inbox.c.state == NEW,
        )
        aside = self.inbox.c.state == SET_ASIDE
        Index("inbox_set_aside", self.inbox.c.campaign, sqlite_where=aside, postgresql_where=aside)
        self.inbox_counters = Table(
            "inbox_counters", metadata, Column("campaign", String, primary_key=True), Column("last", Integer)
        )
        self.raws = Table(
            "raws",
            metadata,
            Column("number", _Number, primary_key=True, autoincrement=True),
            Column("received_at", String, nullable=False),
            Column("content", LargeBinary, nullable=False),
        )

    def _people(self, metadata: MetaData) -> None:
        """Who plays, where he sits, and by what he is known."""
        self.persons = Table(
            "persons",
            metadata,
            Column("person", String, primary_key=True),
            Column("known_as", String, unique=True),
            Column("address", String, nullable=False),
            Column("language", String, nullable=False),
            Column("timezone", String, nullable=False),
            Column("away_from", String),
            Column("away_until", String),
            Column("since", String, nullable=False),
            Column("board", String, nullable=False, server_default="changes"),  # full, changes, none
            Column("language_chosen", Integer, nullable=False, server_default="0"),  # 0: the one he was invited in
        )
        away = self.persons.c.away_until.is_not(None)
        Index("persons_away", self.persons.c.away_until, sqlite_where=away, postgresql_where=away)
        self.sittings = Table(
            "sittings",
            metadata,
            Column("number", _Number, primary_key=True, autoincrement=True),
            Column("campaign", String, nullable=False),
            Column("seat", String, nullable=False),
            Column("person", String, nullable=False),
            Column("name", String, nullable=False),
            Column("since", String, nullable=False),
            Column("until", String),
            Column("why", String),  # it ended: replaced, withdrawn, declined, vacated, erased
            Column("reports", String, nullable=False),  # every, daily, questions
            Column("hour", Integer, nullable=False),
            Column("webhook", String),
            Column("away", String),  # the absence that the campaign has been told of
            Column("told", Integer, nullable=False, server_default="0"),  # the event the last mail was written after
            Column("seen", Integer, nullable=False, server_default="0"),  # up to this event messages were shown
        )
        open_ = self.sittings.c.until.is_(None)
        Index("sittings_open", self.sittings.c.campaign, self.sittings.c.seat, unique=True,
              sqlite_where=open_, postgresql_where=open_)  # fmt: skip
        Index("sittings_person", self.sittings.c.person)
        self.lapses = Table(
            "lapses",
            metadata,
            Column("campaign", String, primary_key=True),
            Column("event", Integer, primary_key=True),
            Column("seat", String, primary_key=True),
            Column("person", String, nullable=False),
            Column("kind", String, nullable=False),
            Column("at", String, nullable=False),
        )
        Index("lapses_person", self.lapses.c.person)
        self.tokens = Table(
            "tokens",
            metadata,
            Column("hash", String, primary_key=True),
            Column("campaign", String, nullable=False),
            Column("seat", String, nullable=False),
            Column("generation", Integer, nullable=False),
            Column("sealed", LargeBinary, nullable=False),
            Column("created_at", String, nullable=False),
            Column("active", Integer, nullable=False),
        )
        Index("tokens_seat", self.tokens.c.campaign, self.tokens.c.seat)
        self.sign_outs = Table(
            "sign_outs",
            metadata,
            Column("campaign", String, primary_key=True),
            Column("seat", String, primary_key=True),
            Column("number", Integer, nullable=False),
        )

    def _beside_the_streams(self, metadata: MetaData) -> None:
        """What belongs to a campaign and must not lie in its stream."""
        self.press = Table(
            "press",
            metadata,
            Column("campaign", String, primary_key=True),
            Column("commitment", String, primary_key=True),
            Column("event", Integer),
            Column("sender", String, nullable=False),
            Column("recipients", Text, nullable=False),
            Column("text", Text),
            Column("salt", String),
            Column("sent_at", String, nullable=False),
        )
        self.kits = Table("kits", metadata, Column("hash", String, primary_key=True), Column("content", Text))
        self.secrets = Table(
            "secrets", metadata, Column("campaign", String, primary_key=True), Column("sealed", LargeBinary)
        )
        self.trees = Table(
            "trees",
            metadata,
            Column("campaign", String, primary_key=True),
            Column("tree", Integer, primary_key=True),
            Column("crown", LargeBinary, nullable=False),
        )
        self.checkpoints = Table(
            "checkpoints",
            metadata,
            Column("campaign", String, primary_key=True),
            Column("reader", String, primary_key=True),
            Column("event", Integer, primary_key=True),
            Column("form", Integer, nullable=False),
            Column("board", Text, nullable=False),
        )

    def _read_models(self, metadata: MetaData) -> None:
        """What is looked up and can be made again, and the pictures of mails."""
        self.campaigns = Table(
            "campaigns",
            metadata,
            Column("campaign", String, primary_key=True),
            Column("title", String),
            Column("game", String),
            Column("scenario", String),
            Column("state", String),
            Column("reason", String),
            Column("seats", Text),
            Column("waiting_for", Text),
            Column("waiting_seats", Text),
            Column("waited_since", String),
            Column("question", String),
            Column("deadline", String),
            Column("next_wake", String),
            Column("event", Integer),
            Column("head", String),
            Column("updated_at", String),
            Column("spectators", Integer),  # 1: whoever has no seat may look
            Column("options", Text),
            Column("policy", Text),
            Column("asks", Text),
            Column("clocks", Text),
            Column("dice", Text),
        )
        Index("campaigns_wake", self.campaigns.c.next_wake)
        self.outbox = Table(
            "outbox",
            metadata,
            Column("number", _Number, primary_key=True, autoincrement=True),
            Column("campaign", String, nullable=False),
            Column("seat", String, nullable=False),
            Column("kind", String, nullable=False),
            Column("first_event", Integer, nullable=False),
            Column("last_event", Integer, nullable=False),
            Column("inbox", Integer),
            Column("press", String),
            Column("data", Text, nullable=False),
            Column("message_id", String, nullable=False),
            Column("state", String, nullable=False),
            Column("created_at", String, nullable=False),
            Column("not_before", String),
            Column("attempts", Integer, nullable=False),
            Column("next_attempt", String),
            Column("claimed_until", String),
            Column("error", Text),
            Column("rendered", LargeBinary),
            Column("sent_at", String),
        )
        Index(
            "outbox_open",
            self.outbox.c.campaign,
            self.outbox.c.kind,
            sqlite_where=self.outbox.c.state == PENDING,
            postgresql_where=self.outbox.c.state == PENDING,
        )
        open_states = self.outbox.c.state.in_(OPEN)
        Index("outbox_due", self.outbox.c.number, sqlite_where=open_states, postgresql_where=open_states)
        Index("outbox_message", self.outbox.c.message_id, unique=True)
        failed = self.outbox.c.state == FAILED
        Index("outbox_failed", self.outbox.c.campaign, sqlite_where=failed, postgresql_where=failed)
        Index("outbox_campaign", self.outbox.c.campaign, self.outbox.c.number)
        self.enclosures = Table(
            "enclosures",
            metadata,
            Column("hash", String, primary_key=True),
            Column("used_at", String, nullable=False),
            Column("content", LargeBinary, nullable=False),
        )
        Index("enclosures_used_at", self.enclosures.c.used_at)
        self.enclosed = Table(
            "enclosed",
            metadata,
            Column("number", _Number, primary_key=True),
            Column("place", Integer, primary_key=True),
            Column("hash", String, nullable=False),
        )
        Index("enclosed_hash", self.enclosed.c.hash)
        self.trackings = Table(
            "trackings", metadata, Column("name", String, primary_key=True), Column("position", _Number, nullable=False)
        )

    def _ways(self, metadata: MetaData) -> None:
        """The ways in and out, and mail that belongs to nobody."""
        self.heartbeats = Table(
            "heartbeats", metadata, Column("way", String, primary_key=True), Column("last", String, nullable=False)
        )
        self.gaps = Table(
            "gaps",
            metadata,
            Column("way", String, primary_key=True),
            Column("start", String, primary_key=True),
            Column("stop", String, nullable=False),
        )
        self.closed_ways = Table(
            "closed_ways",
            metadata,
            Column("way", String, primary_key=True),
            Column("since", String, nullable=False),
            Column("reason", String, nullable=False),
        )
        self.strays = Table(
            "strays",
            metadata,
            Column("number", Integer, primary_key=True, autoincrement=True),
            Column("received_at", String, nullable=False),
            Column("campaign", String),
            Column("sender", String, nullable=False),
            Column("subject", String, nullable=False),
            Column("reason", String, nullable=False),
            Column("answered", Integer, nullable=False),
            Column("same", String, nullable=False, unique=True),
            Column("content", LargeBinary, nullable=False),
        )
        Index("strays_answered", self.strays.c.answered, self.strays.c.received_at)

    def _desk(self, metadata: MetaData) -> None:
        """Moderators, what they keep, and new addresses."""
        self.moderators = Table(
            "moderators",
            metadata,
            Column("name", String, primary_key=True),
            Column("address", String, nullable=False),
            Column("password", String, nullable=False),
            Column("admin", Integer, nullable=False),
            Column("generation", Integer, nullable=False),
            Column("token", String, unique=True),
            Column("created_at", String, nullable=False),
        )
        self.desk_links = Table(
            "desk_links",
            metadata,
            Column("hash", String, primary_key=True),
            Column("moderator", String, nullable=False),
            Column("generation", Integer, nullable=False),
            Column("expires_at", String, nullable=False),
        )
        self.new_addresses = Table(
            "new_addresses",
            metadata,
            Column("person", String, primary_key=True),
            Column("hash", String, nullable=False, unique=True),
            Column("address", String, nullable=False),
            Column("asked_at", String, nullable=False),
            Column("expires_at", String, nullable=False),
        )
        self.moderated = Table(
            "moderated",
            metadata,
            Column("campaign", String, primary_key=True),
            Column("moderator", String, primary_key=True),
        )
        Index("moderated_moderator", self.moderated.c.moderator)
        self.choice_sets = Table(
            "choice_sets",
            metadata,
            Column("moderator", String, primary_key=True),
            Column("game", String, primary_key=True),
            Column("name", String, primary_key=True),
            Column("choices", Text, nullable=False),
        )
