"""Whether a campaign lets spectators in stands in its row, so that lists of campaigns are counted where they are read.

The first event of a campaign says it, for good. In the text of an event a quotation mark within a string is escaped, so
what is looked for can be nothing else.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("campaigns", sa.Column("spectators", sa.Integer()))
    postgres = op.get_bind().dialect.name == "postgresql"
    stream = "pbem_events" if postgres else "stored_events"
    if not sa.inspect(op.get_bind()).has_table(stream, schema=op.get_context().version_table_schema):
        return  # a fresh store
    text = "convert_from(state, 'UTF8')" if postgres else "CAST(state AS TEXT)"
    closed = (
        f"SELECT originator_id FROM {stream} WHERE originator_version = 1 AND {text} LIKE '%\"spectators\":\"no\"%'"
    )
    op.execute(f"UPDATE campaigns SET spectators = CASE WHEN campaign IN ({closed}) THEN 0 ELSE 1 END")
