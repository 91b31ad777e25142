-- compatible
-- Keys for programs: a personal key acts for its owner, a company key for its company. Neither has rights of its own: they are
-- computed when the key is used. Of a key only its digest and its last characters are stored.
CREATE TABLE api_keys (
  id                 uuid PRIMARY KEY,
  kind               text NOT NULL CHECK (kind IN ('PERSONAL', 'COMPANY')),
  company_id         uuid,
  user_id            uuid REFERENCES users (id) ON DELETE CASCADE,
  -- Null for a key that a machine or an operator made, and once the creator was erased.
  created_by_user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  -- The level of the session in which the key was made; null without a session.
  created_acr        text CHECK (created_acr IN ('aal1', 'aal2')),
  name               text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  digest             bytea NOT NULL CHECK (length(digest) = 32),
  hint               text NOT NULL CHECK (length(hint) = 4),
  -- Null: everything that the owner has.
  modules            text[],
  permissions        text[],
  created_at         timestamptz NOT NULL DEFAULT now(),
  expires_at         timestamptz,
  -- The digest before a rotation, which is accepted until then.
  former_digest      bytea CHECK (length(former_digest) = 32),
  former_until       timestamptz,
  last_used_at       timestamptz,
  last_used_ip       text,
  -- Time at which the owner was notified that the key expires soon.
  expiry_noticed_at  timestamptz,
  revoked_at         timestamptz,
  revoke_reason      text,
  CHECK (kind <> 'PERSONAL' OR user_id IS NOT NULL),
  CHECK (kind <> 'COMPANY' OR
    (company_id IS NOT NULL AND user_id IS NULL AND modules IS NOT NULL AND permissions IS NOT NULL)),
  CHECK ((former_digest IS NULL) = (former_until IS NULL)),
  CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL))
) WITH (fillfactor = 85);

CREATE UNIQUE INDEX api_keys_digest_key ON api_keys (digest);
CREATE UNIQUE INDEX api_keys_former_digest_key ON api_keys (former_digest) WHERE former_digest IS NOT NULL;
CREATE INDEX api_keys_by_user ON api_keys (user_id, created_at DESC, id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX api_keys_by_company ON api_keys (company_id, created_at DESC, id DESC) WHERE kind = 'COMPANY';
-- Limits of creations, and what is forgotten of a creator.
CREATE INDEX api_keys_by_creator ON api_keys (created_by_user_id, created_at) WHERE created_by_user_id IS NOT NULL;
-- Notices of keys that expire soon, and cleaning up.
CREATE INDEX api_keys_by_expiry ON api_keys (expires_at, id) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_revoked ON api_keys (revoked_at, id) WHERE revoked_at IS NOT NULL;

-- Whatever began before an erasure must not leave a key of the erased user.
CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON api_keys
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION refuse_rows_of_erased_user();
