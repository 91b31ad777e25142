-- compatible
-- One row per requested change of an email address: from the request, over its confirmation by the link to the new address,
-- to the link with which the owner of the old address undoes it. Only digests of the secrets are kept.
CREATE TABLE email_changes (
  id              uuid PRIMARY KEY,
  user_id         uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The session that requested it, which goes on after the confirmation. Its row may be gone by then.
  session_id      uuid NOT NULL,
  new_email       text NOT NULL CHECK (new_email = lower(new_email) AND length(new_email) BETWEEN 3 AND 254),
  token_digest    bytea CHECK (octet_length(token_digest) = 32),
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz,
  -- Ended before its confirmation: by a later request, a new password, the end of all sessions.
  ended_at        timestamptz,
  confirmed_at    timestamptz,
  old_email       text CHECK (old_email = lower(old_email) AND length(old_email) BETWEEN 3 AND 254),
  undo_digest     bytea CHECK (octet_length(undo_digest) = 32),
  -- The old address is reserved for the user until then, unless the link was used or ended before.
  undo_expires_at timestamptz,
  undo_ended_at   timestamptz,
  CHECK (ended_at IS NULL OR confirmed_at IS NULL),
  CHECK ((confirmed_at IS NULL) = (old_email IS NULL)),
  CHECK ((confirmed_at IS NULL) = (undo_expires_at IS NULL))
);

CREATE UNIQUE INDEX email_changes_token_key ON email_changes (token_digest) WHERE token_digest IS NOT NULL;
CREATE UNIQUE INDEX email_changes_undo_key ON email_changes (undo_digest) WHERE undo_digest IS NOT NULL;
CREATE INDEX email_changes_by_user ON email_changes (user_id, created_at DESC);
-- Addresses that are reserved.
CREATE INDEX email_changes_reserved ON email_changes (old_email)
  WHERE old_email IS NOT NULL AND undo_ended_at IS NULL;
-- Cleaning up, from the oldest row on.
CREATE INDEX email_changes_newest ON email_changes (created_at DESC, id DESC);

-- The service's code holds the closed list of reasons, and is the only one to write them. A second list here made each new
-- reason a change of the schema, and of two that were made side by side the later one forgot the other.
ALTER TABLE sessions DROP CONSTRAINT sessions_revoke_reason_check;
