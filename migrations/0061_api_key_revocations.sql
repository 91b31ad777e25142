-- compatible
-- Entries of the feed about API keys: their id is in `session_id`, which is the claim `sid` of the tokens that a key is exchanged for,
-- so that readers of the previous version refuse these tokens, too. Null for entries about sessions and users.
ALTER TABLE revocations ADD COLUMN api_key_event text CHECK (api_key_event IN ('revoked', 'rotated'));

CREATE FUNCTION revocations_add_api_key() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('INSERT INTO %I.revocations (session_id, api_key_event) VALUES ($1, $2)', TG_TABLE_SCHEMA)
    USING OLD.id, TG_ARGV[0];
  RETURN NULL;
END
$$;

CREATE TRIGGER api_keys_add_revocation AFTER UPDATE OF revoked_at ON api_keys
  FOR EACH ROW WHEN (NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL)
  EXECUTE FUNCTION revocations_add_api_key('revoked');

-- A key that is removed with its user.
CREATE TRIGGER api_keys_add_removal AFTER DELETE ON api_keys
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND (OLD.expires_at IS NULL OR OLD.expires_at > now()))
  EXECUTE FUNCTION revocations_add_api_key('revoked');

-- The former text stops to work at once, unless it is accepted for a while longer.
CREATE TRIGGER api_keys_add_rotation AFTER UPDATE OF digest ON api_keys
  FOR EACH ROW WHEN (NEW.digest <> OLD.digest
    AND (NEW.former_digest IS DISTINCT FROM OLD.digest OR OLD.former_digest IS NOT NULL))
  EXECUTE FUNCTION revocations_add_api_key('rotated');
