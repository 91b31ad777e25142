-- A session is also its family of refresh tokens: the selector names the row and never changes, the generation
-- counts rotations, and the digest of the one current secret is replaced by each. Only digests are stored.
CREATE TABLE sessions (
  id              uuid PRIMARY KEY,
  user_id         uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  selector_digest bytea NOT NULL CHECK (octet_length(selector_digest) = 32),
  generation      integer NOT NULL DEFAULT 0 CHECK (generation >= 0),
  secret_digest   bytea NOT NULL CHECK (octet_length(secret_digest) = 32),
  rotated_at      timestamptz,
  origin          text NOT NULL CHECK (origin IN ('password', 'passkey', 'handoff', 'minted', 'invitation')),
  -- RFC 8176 values of the sign-in that opened the session, repeated in each access token.
  amr             text[] NOT NULL,
  auth_time       timestamptz NOT NULL DEFAULT now(),
  -- Digest of the one-time grant the session came from: a grant restored by a backup cannot be spent twice.
  grant_digest    bytea CHECK (octet_length(grant_digest) = 32),
  ip_address      text CHECK (length(ip_address) <= 64),
  user_agent      text CHECK (length(user_agent) <= 256),
  device_name     text CHECK (length(device_name) <= 100),
  created_at      timestamptz NOT NULL DEFAULT now(),
  last_used_at    timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL,
  is_revoked      boolean NOT NULL DEFAULT false,
  revoked_at      timestamptz,
  revoke_reason   text CHECK (revoke_reason IN (
                    'logout', 'logout_all', 'logout_others', 'revoked', 'revoke_all', 'deactivated',
                    'approval_withdrawn', 'password_changed', 'password_reset', 'refresh_reuse')),
  CHECK (is_revoked = (revoked_at IS NOT NULL))
-- Rotation changes no indexed column; with room on the page it stays a heap-only update.
) WITH (fillfactor = 70);

CREATE UNIQUE INDEX sessions_selector_key ON sessions (selector_digest);
CREATE UNIQUE INDEX sessions_grant_key ON sessions (grant_digest) WHERE grant_digest IS NOT NULL;
CREATE INDEX sessions_live_by_user ON sessions (user_id, created_at DESC, id DESC) WHERE NOT is_revoked;
CREATE INDEX sessions_live_newest ON sessions (created_at DESC, id DESC) WHERE NOT is_revoked;

CREATE FUNCTION sessions_refuse_revival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a revoked session cannot become live again' USING ERRCODE = 'check_violation';
END
$$;

CREATE TRIGGER sessions_stay_revoked BEFORE UPDATE OF is_revoked ON sessions
  FOR EACH ROW WHEN (OLD.is_revoked AND NOT NEW.is_revoked) EXECUTE FUNCTION sessions_refuse_revival();
