-- Confirmations by a signed-in user are counted on their session, so that no loss of Redis grants further guesses: the
-- wrong ones in a row (and one under way), and until when the one under way keeps others out. Neither column is indexed,
-- so rotation stays a heap-only update; constant defaults need no rewrite of the table.
ALTER TABLE sessions
  ADD COLUMN failed_confirmations integer NOT NULL DEFAULT 0,
  ADD COLUMN confirming_until timestamptz;

-- Not validated, which would read the whole table under this lock: every row has passed a narrower list of reasons.
ALTER TABLE sessions
  DROP CONSTRAINT sessions_revoke_reason_check,
  ADD CONSTRAINT sessions_revoke_reason_check CHECK (revoke_reason IN (
    'logout', 'logout_all', 'logout_others', 'revoked', 'revoke_all', 'deactivated', 'approval_withdrawn',
    'password_changed', 'password_reset', 'refresh_reuse', 'confirmation_failed')) NOT VALID;
