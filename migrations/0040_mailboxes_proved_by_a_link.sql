-- compatible
-- True if the mailbox was proved by a link alone: its owner has not shown to know the password, so what was set up with the
-- password may be a stranger's. The next password that a mailed link sets removes it. A constant default rewrites no row.
ALTER TABLE users ADD COLUMN proved_by_link_alone boolean NOT NULL DEFAULT false;
