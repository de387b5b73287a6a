"""Ways that are closed, sign-outs, and a tracking of its own for each projection.

Programs between release 0.1.0 and this one made the first two tables when they opened a store. Three indexes, whose
names had the schema in them, get names of their own.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "sign_outs",
        sa.Column("campaign", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("campaign", "seat"),
        if_not_exists=True,
    )
    op.create_table(
        "closed_ways",
        sa.Column("way", sa.String(), nullable=False),
        sa.Column("since", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("way"),
        if_not_exists=True,
    )
    schema = op.get_context().version_table_schema
    for table, column in (("enclosures", "used_at"), ("enclosed", "hash"), ("moderated", "moderator")):
        for name in {f"ix_{table}_{column}", f"ix_{schema}_{table}_{column}"}:
            op.drop_index(name, table, if_exists=True)
        op.create_index(f"{table}_{column}", table, [column], if_not_exists=True)
    # What was one tracking of both, "readmodels", becomes that of the campaigns and that of the outbox; in a fresh
    # store there is none yet, and both begin with the first event.
    position = "COALESCE((SELECT position FROM trackings WHERE name = 'readmodels'), 0)"
    for name in ("campaigns", "outbox"):
        op.execute(f"INSERT INTO trackings (name, position) SELECT '{name}', {position}")
    op.execute("DELETE FROM trackings WHERE name = 'readmodels'")
