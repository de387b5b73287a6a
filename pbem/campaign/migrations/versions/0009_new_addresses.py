"""A person asks for his mails at another address, and shows by a link that it is his."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "new_addresses",
        sa.Column("person", sa.String(), primary_key=True),
        sa.Column("hash", sa.String(), nullable=False, unique=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("asked_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=False),
    )
