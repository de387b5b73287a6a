"""What lists tell of a campaign stands in its row, so that no list loads campaigns.

The rows are made again from the stream when the store is first pulled, as their tracking is at the beginning.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    for name in ("options", "policy", "asks", "clocks", "dice"):
        op.add_column("campaigns", sa.Column(name, sa.Text()))
    op.execute("UPDATE trackings SET position = 0 WHERE name = 'campaigns'")
