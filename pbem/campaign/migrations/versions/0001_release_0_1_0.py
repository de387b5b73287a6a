"""What release 0.1.0 stored beside the stream."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _only(rows: str) -> dict[str, Any]:
    """Which rows a partial index is for."""
    return {"sqlite_where": sa.text(rows), "postgresql_where": sa.text(rows)}


def upgrade() -> None:
    op.create_table(
        "campaigns",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("game", sa.String(), nullable=True),
        sa.Column("scenario", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("seats", sa.Text(), nullable=True),
        sa.Column("waiting_for", sa.Text(), nullable=True),
        sa.Column("waiting_seats", sa.Text(), nullable=True),
        sa.Column("waited_since", sa.String(), nullable=True),
        sa.Column("question", sa.String(), nullable=True),
        sa.Column("deadline", sa.String(), nullable=True),
        sa.Column("next_wake", sa.String(), nullable=True),
        sa.Column("event", sa.Integer(), nullable=True),
        sa.Column("head", sa.String(), nullable=True),
        sa.Column("updated_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("campaign"),
    )
    op.create_index("campaigns_wake", "campaigns", ["next_wake"])
    op.create_table(
        "checkpoints",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("reader", sa.String(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("form", sa.Integer(), nullable=False),
        sa.Column("board", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("campaign", "reader", "event"),
    )
    op.create_table(
        "desk_links",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("moderator", sa.String(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "enclosed",
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("number", "place"),
    )
    op.create_index("ix_enclosed_hash", "enclosed", ["hash"])
    op.create_table(
        "enclosures",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("used_at", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("ix_enclosures_used_at", "enclosures", ["used_at"])
    op.create_table(
        "gaps",
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("start", sa.String(), nullable=False),
        sa.Column("stop", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("way", "start"),
    )
    op.create_table(
        "heartbeats",
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("last", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("way"),
    )
    op.create_table(
        "inbox",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("received_at", sa.String(), nullable=False),
        sa.Column("identity", sa.String(), nullable=True),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("remote", sa.String(), nullable=True),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("raw", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("campaign", "number"),
        sa.UniqueConstraint("campaign", "identity", name="inbox_identity"),
    )
    op.create_index("inbox_new", "inbox", ["campaign", "number"], **_only("state = 'new'"))
    op.create_index("inbox_set_aside", "inbox", ["campaign"], **_only("state = 'set_aside'"))
    op.create_table(
        "inbox_counters",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("campaign"),
    )
    op.create_table(
        "kits",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("content", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "moderated",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("moderator", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("campaign", "moderator"),
    )
    op.create_index("ix_moderated_moderator", "moderated", ["moderator"])
    op.create_table(
        "moderators",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=False),
        sa.Column("admin", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(), nullable=True),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
        sa.UniqueConstraint("token"),
    )
    op.create_table(
        "outbox",
        sa.Column("number", NUMBER, autoincrement=True, nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("first_event", sa.Integer(), nullable=False),
        sa.Column("last_event", sa.Integer(), nullable=False),
        sa.Column("inbox", sa.Integer(), nullable=True),
        sa.Column("press", sa.String(), nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("not_before", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt", sa.String(), nullable=True),
        sa.Column("claimed_until", sa.String(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("rendered", sa.LargeBinary(), nullable=True),
        sa.Column("sent_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("outbox_campaign", "outbox", ["campaign", "number"])
    op.create_index("outbox_due", "outbox", ["number"], **_only("state IN ('pending', 'claimed', 'rendered')"))
    op.create_index("outbox_failed", "outbox", ["campaign"], **_only("state = 'failed'"))
    op.create_index("outbox_message", "outbox", ["message_id"], unique=True)
    op.create_index("outbox_open", "outbox", ["campaign", "kind"], **_only("state = 'pending'"))
    op.create_table(
        "players",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("reports", sa.String(), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("webhook", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("campaign", "seat"),
    )
    op.create_table(
        "press",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=True),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("recipients", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("salt", sa.String(), nullable=True),
        sa.Column("sent_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("campaign", "commitment"),
    )
    op.create_table(
        "raws",
        sa.Column("number", NUMBER, autoincrement=True, nullable=False),
        sa.Column("received_at", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_table(
        "secrets",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("campaign"),
    )
    op.create_table(
        "strays",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("received_at", sa.String(), nullable=False),
        sa.Column("campaign", sa.String(), nullable=True),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("same", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("same"),
    )
    op.create_index("strays_answered", "strays", ["answered", "received_at"])
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("active", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_index("tokens_seat", "tokens", ["campaign", "seat"])
    op.create_table(
        "trackings",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "trees",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("tree", sa.Integer(), nullable=False),
        sa.Column("crown", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("campaign", "tree"),
    )
