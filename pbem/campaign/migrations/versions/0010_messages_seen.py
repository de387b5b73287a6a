"""Up to which event the messages of a sitting were shown on its page, whichever browser that was."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    with op.batch_alter_table("sittings") as sittings:
        sittings.add_column(sa.Column("seen", sa.Integer(), nullable=False, server_default="0"))
