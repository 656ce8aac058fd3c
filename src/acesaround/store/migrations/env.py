"""The entry point of Alembic: runs the migrations on the connection given by `store.migrate`."""

from alembic import context

from acesaround.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
