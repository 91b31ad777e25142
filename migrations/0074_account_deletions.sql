-- compatible
-- Users delete their accounts themselves: until this time they can undo it, then the personal data is erased. Meanwhile the account is
-- inactive, for every version of the service.
ALTER TABLE users ADD COLUMN delete_at timestamptz;

-- Every decision on the activity of the account ends its deletion, also that of a version that does not know of it: after a reactivation a later
-- deactivation must not erase the user, and after a deactivation the user must not undo it.
CREATE FUNCTION users_end_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.delete_at := NULL;
  RETURN NEW;
END
$$;

CREATE TRIGGER users_end_deletion BEFORE UPDATE OF is_active ON users
  FOR EACH ROW WHEN (OLD.delete_at IS NOT NULL) EXECUTE FUNCTION users_end_deletion();

-- Links that undo a deletion, written when their mail is sent.
CREATE TABLE deletion_links (
  -- The id of the mail: a second attempt at sending it replaces its secret.
  id            uuid PRIMARY KEY,
  user_id       uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_digest  bytea NOT NULL CHECK (octet_length(token_digest) = 32),
  -- The deletion that the link undoes, and the address to which it was sent: it undoes no later deletion.
  delete_at     timestamptz NOT NULL,
  email_digest  bytea NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE UNIQUE INDEX deletion_links_by_token ON deletion_links (token_digest);
CREATE INDEX deletion_links_by_user ON deletion_links (user_id, created_at);
CREATE INDEX deletion_links_oldest ON deletion_links (created_at, id);
