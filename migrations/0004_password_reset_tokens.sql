-- One row per reset mail, written when the mail is sent: the secret is made at that moment and only its digest is kept.
-- Using one token spends its siblings too.
CREATE TABLE password_reset_tokens (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_digest bytea NOT NULL CHECK (octet_length(token_digest) = 32),
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  used_at      timestamptz,
  revoked_at   timestamptz,
  CHECK (used_at IS NULL OR revoked_at IS NULL)
);

CREATE UNIQUE INDEX password_reset_tokens_digest_key ON password_reset_tokens (token_digest);
-- Finding a user's outstanding tokens, and counting the mails of the last hour.
CREATE INDEX password_reset_tokens_by_user ON password_reset_tokens (user_id, created_at DESC);
