"""Run by Alembic for every migration, within the transaction of `pbem.campaign.migrations.upgrade`."""

from alembic import context

attributes = context.config.attributes
context.configure(connection=attributes["connection"], version_table_schema=attributes["schema"])
with context.begin_transaction():
    context.run_migrations()
