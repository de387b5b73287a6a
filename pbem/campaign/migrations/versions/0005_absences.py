"""Absences are looked for at every tick of the clock, in all campaigns of a person."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    away = sa.text("away_until IS NOT NULL")
    op.create_index("persons_away", "persons", ["away_until"], sqlite_where=away, postgresql_where=away)
