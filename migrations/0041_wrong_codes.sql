-- compatible
-- Wrong codes of authenticator apps since the last right one, whichever way they came, and when the user was last mailed about
-- them. Neither column is indexed, and constant defaults rewrite no row.
ALTER TABLE users
  ADD COLUMN wrong_codes integer NOT NULL DEFAULT 0,
  ADD COLUMN wrong_codes_noticed_at timestamptz;
