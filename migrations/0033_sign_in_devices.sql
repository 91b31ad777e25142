-- compatible
-- The devices from which a user has signed in, as digests of what identifies them. A sign-in from one that is missing here is
-- mailed to the user. The rows grant nothing.
CREATE TABLE sign_in_devices (
  user_id        uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  device_digest  bytea NOT NULL CHECK (octet_length(device_digest) = 32),
  first_used_at  timestamptz NOT NULL DEFAULT now(),
  -- To the day: a device that is used each hour is written once a day.
  last_used_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, device_digest)
);

-- The time from which a sign-in from a new device is mailed: at most once a day. Null until the first sign-in is recorded, which
-- is never mailed; so the first sign-in after this migration is not, either.
ALTER TABLE users ADD COLUMN device_notice_from timestamptz;
