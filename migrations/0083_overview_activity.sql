-- compatible
-- Numbers of each day, counted from the audit log after the fact, so that no request waits for a counter. They outlive the rows
-- they were counted from.
CREATE TABLE daily_activity (
  day              date PRIMARY KEY,
  sign_ins         bigint NOT NULL DEFAULT 0,
  failed_sign_ins  bigint NOT NULL DEFAULT 0,
  registrations    bigint NOT NULL DEFAULT 0,
  signed_in_users  bigint NOT NULL DEFAULT 0
);

-- How far the log is counted. Ids of transactions begin anew in a restored database; entries from before `counted_since` are
-- counted then.
CREATE TABLE activity_cursor (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  counted_to     xid8 NOT NULL DEFAULT '0',
  counted_at     timestamptz,
  counted_since  timestamptz NOT NULL DEFAULT '-infinity'
);

INSERT INTO activity_cursor DEFAULT VALUES;
