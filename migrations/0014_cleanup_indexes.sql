-- Cleaning up walks from the oldest row to the youngest that may go; without these it would read whole tables. None
-- holds a column that the rotation of a refresh token changes, so that stays a heap-only update.
CREATE INDEX sessions_revoked ON sessions (revoked_at, id) WHERE is_revoked;
CREATE INDEX password_reset_tokens_newest ON password_reset_tokens (created_at DESC, id DESC);
CREATE INDEX invitations_newest ON invitations (created_at DESC, id DESC);
CREATE INDEX mail_outbox_newest ON mail_outbox (created_at DESC, id DESC);
-- Mail that may still leave is little, and looked for on its own.
CREATE INDEX mail_outbox_unfinished ON mail_outbox (created_at DESC, id DESC) WHERE status IN ('PENDING', 'DEAD');
-- Whether somebody's mail has left, by the beginning of the address.
CREATE INDEX mail_outbox_by_recipient ON mail_outbox (recipient text_pattern_ops, created_at DESC, id DESC);
