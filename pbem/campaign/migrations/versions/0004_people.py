"""People stand beside seats: persons by their address, and their sittings; deadlines that they missed.

Who sat at a seat before is not known; a sitting that goes on began when its token was made.
"""

import os

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "persons",
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("known_as", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("away_from", sa.String(), nullable=True),
        sa.Column("away_until", sa.String(), nullable=True),
        sa.Column("since", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("person"),
        sa.UniqueConstraint("known_as"),
    )
    op.create_table(
        "sittings",
        sa.Column("number", NUMBER, autoincrement=True, nullable=False),
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("since", sa.String(), nullable=False),
        sa.Column("until", sa.String(), nullable=True),
        sa.Column("why", sa.String(), nullable=True),
        sa.Column("reports", sa.String(), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("webhook", sa.String(), nullable=True),
        sa.Column("away", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("number"),
    )
    still = sa.text("until IS NULL")
    op.create_index(
        "sittings_open", "sittings", ["campaign", "seat"], unique=True, sqlite_where=still, postgresql_where=still
    )
    op.create_index("sittings_person", "sittings", ["person"])
    op.create_table(
        "lapses",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("event", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("campaign", "event", "seat"),
    )
    op.create_index("lapses_person", "lapses", ["person"])
    _seat_the_players(op.get_bind())
    op.drop_table("players")


def _seat_the_players(connection: sa.Connection) -> None:
    """Each address becomes one person; where it had several time zones or languages, the newest seat's count."""
    began = dict[tuple[str, str], str]()
    for campaign, seat, at in connection.execute(sa.text("SELECT campaign, seat, created_at FROM tokens")):
        began[campaign, seat] = max(at, began.get((campaign, seat), ""))
    players = connection.execute(sa.text("SELECT * FROM players ORDER BY campaign, seat")).mappings().all()
    persons = dict[str, dict[str, str | None]]()
    sittings = []
    for player in sorted(players, key=lambda player: began.get((player["campaign"], player["seat"]), ""), reverse=True):
        known_as = player["address"].strip().lower() or None
        since = began.get((player["campaign"], player["seat"]), "")
        new = os.urandom(8).hex()
        person = persons.setdefault(known_as or new, {
            "person": new, "known_as": known_as, "address": player["address"], "language": player["language"],
            "timezone": player["timezone"], "since": since,
        })  # fmt: skip
        person["since"] = since  # the oldest comes last
        of_seat = {name: player[name] for name in ("campaign", "seat", "name", "reports", "hour", "webhook")}
        sittings.append({**of_seat, "person": person["person"], "since": since})
    _insert(connection, "persons", list(persons.values()))
    _insert(connection, "sittings", sittings)


def _insert(connection: sa.Connection, table: str, rows: list) -> None:
    if rows:
        names = ", ".join(rows[0])
        values = ", ".join(f":{name}" for name in rows[0])
        connection.execute(sa.text(f"INSERT INTO {table} ({names}) VALUES ({values})"), rows)
