-- compatible
-- One row per registration whose mailbox is to be proved, written with the registration, so that whatever ends the link
-- also ends one whose mail has not left yet. The secret is made when the mail is sent, and only its digest is kept.
CREATE TABLE email_verification_tokens (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_digest bytea CHECK (octet_length(token_digest) = 32),
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz,
  used_at      timestamptz,
  revoked_at   timestamptz,
  CHECK (used_at IS NULL OR revoked_at IS NULL)
);

CREATE UNIQUE INDEX email_verification_tokens_digest_key ON email_verification_tokens (token_digest);
-- Revoking what a user has.
CREATE INDEX email_verification_tokens_by_user ON email_verification_tokens (user_id);
-- Cleaning up, from the oldest row on.
CREATE INDEX email_verification_tokens_newest ON email_verification_tokens (created_at DESC, id DESC);

-- The mail that carries the link. The rows that are there passed the shorter list.
ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check;
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_kind_check CHECK (kind IN (
  'pending_registration', 'email_verification', 'registration_approved', 'registration_rejected', 'approval_waiting',
  'invitation', 'password_reset', 'password_changed', 'passkey_added', 'passkey_removed')) NOT VALID;
