-- compatible
-- no transaction
-- Finds the accounts whose deletion is due.
CREATE INDEX CONCURRENTLY users_to_delete ON users (id) WHERE delete_at IS NOT NULL;
