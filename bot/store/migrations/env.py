"""Runs migrations on the connection that `bot.store.migrate` hands over."""

from alembic import context

from bot.store.parlour import metadata  # the last file of the schema, so all of it

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
