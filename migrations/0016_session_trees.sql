-- A session that was opened from another one, by a hand-off, ends with its parent, and the absolute limit of both
-- counts from the root. Both columns are null for a session that began with a sign-in, and for all older rows. There is
-- no foreign key: a parent stays as long as a row names it, which the clean-up sees to.
ALTER TABLE sessions
  ADD COLUMN parent_session_id uuid,
  ADD COLUMN root_created_at timestamptz;

-- Rotation changes neither column, so it stays a heap-only update.
CREATE INDEX sessions_by_parent ON sessions (parent_session_id) WHERE parent_session_id IS NOT NULL;
