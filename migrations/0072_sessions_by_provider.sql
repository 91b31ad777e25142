-- compatible
-- no transaction
-- The sessions that another service ends by its own id of them.
CREATE INDEX CONCURRENTLY sessions_by_provider_session ON sessions (provider_session_id)
  WHERE provider_session_id IS NOT NULL AND NOT is_revoked;
