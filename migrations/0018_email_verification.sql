-- When it was proved that the mailbox is the user's: NULL for a registration that nobody has confirmed. Adding the
-- column writes no row: the users who are there get the time of this migration from the catalogue. Those without a
-- proof lose it in a migration of its own, which does not hold this lock while it works.
ALTER TABLE users ADD COLUMN email_verified_at timestamptz DEFAULT now();
ALTER TABLE users ALTER COLUMN email_verified_at DROP DEFAULT;
