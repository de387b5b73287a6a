"""Whether a person has chosen the language of his mails, or has the one that he was invited in.

Who was there before keeps his: nobody's mails change their language unasked.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    with op.batch_alter_table("persons") as persons:
        persons.add_column(sa.Column("language_chosen", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE persons SET language_chosen = 1")
