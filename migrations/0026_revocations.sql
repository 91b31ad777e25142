-- compatible
-- What ends access tokens before their time, for services that verify tokens by themselves: a session that was revoked, or
-- a raised token version. One row per event, in the transaction that causes it. Triggers write it, so no way of revoking
-- can omit it: a replica of the previous version and SQL by hand do not either.
CREATE TABLE revocations (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  session_id     uuid,
  user_id        uuid,
  token_version  integer,
  -- Rows commit in another order than they are written. A snapshot of transactions says which of them a reader has seen.
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at     timestamptz NOT NULL DEFAULT now(),
  CHECK ((session_id IS NULL) <> (user_id IS NULL)),
  CHECK ((user_id IS NULL) = (token_version IS NULL))
);

-- Reading what has committed since.
CREATE INDEX revocations_by_transaction ON revocations (transaction_id, id);
-- Snapshots, and cleaning up from the oldest row on.
CREATE INDEX revocations_newest ON revocations (created_at DESC, id DESC);

-- The schema comes from the table that fires, because SQL by hand may run with another search path. The rights
-- are the owner's, so that an account which may revoke sessions needs no further grant.
CREATE FUNCTION revocations_add_session() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('INSERT INTO %I.revocations (session_id) VALUES ($1)', TG_TABLE_SCHEMA) USING OLD.id;
  RETURN NULL;
END
$$;

CREATE FUNCTION revocations_add_token_version() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('INSERT INTO %I.revocations (user_id, token_version) VALUES ($1, $2)', TG_TABLE_SCHEMA)
    USING NEW.id, NEW.token_version;
  RETURN NULL;
END
$$;

-- A rotation does not set is_revoked, so it does not run this.
CREATE TRIGGER sessions_add_revocation AFTER UPDATE OF is_revoked ON sessions
  FOR EACH ROW WHEN (NEW.is_revoked AND NOT OLD.is_revoked) EXECUTE FUNCTION revocations_add_session();

-- A session that is removed, also with its user, while tokens of it may be valid: for a day at most.
CREATE TRIGGER sessions_add_removal AFTER DELETE ON sessions
  FOR EACH ROW WHEN (NOT OLD.is_revoked AND OLD.expires_at > now() - interval '1 day')
  EXECUTE FUNCTION revocations_add_session();

CREATE TRIGGER users_add_revocation AFTER UPDATE OF token_version ON users
  FOR EACH ROW WHEN (NEW.token_version > OLD.token_version) EXECUTE FUNCTION revocations_add_token_version();
