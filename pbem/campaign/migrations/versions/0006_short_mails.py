"""How much of the board a person wants in his mails, and after which event the last mail of a sitting was written."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    with op.batch_alter_table("persons") as persons:
        persons.add_column(sa.Column("board", sa.String(), nullable=False, server_default="changes"))
    with op.batch_alter_table("sittings") as sittings:
        sittings.add_column(sa.Column("told", sa.Integer(), nullable=False, server_default="0"))
