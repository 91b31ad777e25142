-- compatible
-- Pictures that users have uploaded, at most one each, as small as a list shows them.
CREATE TABLE user_pictures (
  user_id       uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- The secret part of the address: everyone who has it may see the picture. Each upload gets a new one.
  id            text NOT NULL UNIQUE CHECK (id ~ '^[0-9a-f]{32}$'),
  content       bytea NOT NULL CHECK (octet_length(content) BETWEEN 1 AND 65536),
  content_type  text NOT NULL CHECK (content_type IN ('image/webp', 'image/jpeg', 'image/png')),
  width         integer NOT NULL CHECK (width BETWEEN 32 AND 512),
  height        integer NOT NULL CHECK (height BETWEEN 32 AND 512),
  updated_at    timestamptz NOT NULL DEFAULT now()
);

-- Pictures are compressed already.
ALTER TABLE user_pictures ALTER COLUMN content SET STORAGE EXTERNAL;

-- A profile has one picture: every write of another address, or of none, removes the uploaded one, also that of a version that does not
-- know of it, of an import, and of an erasure.
CREATE FUNCTION users_remove_picture() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_pictures
  WHERE user_id = NEW.id AND right(coalesce(NEW.profile_picture_url, ''), 33) <> '/' || id;
  RETURN NULL;
END
$$;

CREATE TRIGGER users_remove_picture AFTER UPDATE OF profile_picture_url ON users
  FOR EACH ROW WHEN (OLD.profile_picture_url IS DISTINCT FROM NEW.profile_picture_url) EXECUTE FUNCTION users_remove_picture();
