-- compatible
-- What a reader that has seen a row can have missed. Rows commit in another order than that of their times; a reader that stops at
-- a row has seen at least what the snapshot of its statement shows. The top-level transaction is kept, because the system column
-- has that of a savepoint, and that of the erasure once one has changed the row. Null in older rows: those are in the order of their
-- times. The snapshot is a text, because the version before compares whole rows, and snapshots cannot be compared.
ALTER TABLE auth_audit_logs
  ADD COLUMN transaction_id xid8,
  ADD COLUMN snapshot text;

ALTER TABLE auth_audit_logs
  ALTER COLUMN transaction_id SET DEFAULT pg_current_xact_id(),
  ALTER COLUMN snapshot SET DEFAULT pg_current_snapshot()::text;
