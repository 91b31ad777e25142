-- compatible
-- Accounts at other services by which users sign in. An identity is known by its connection and the subject there, never by an
-- address: addresses are given to other people, and not every service proves them.
CREATE TABLE external_identities (
  id              uuid PRIMARY KEY,
  user_id         uuid NOT NULL REFERENCES users (id),
  connection_id   text NOT NULL CHECK (length(connection_id) BETWEEN 1 AND 64),
  subject         text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  -- As the service reported them at the last sign-in.
  email           text CHECK (length(email) <= 254),
  email_verified  boolean NOT NULL DEFAULT false,
  -- True if the service decides who has the mailbox of that address.
  proves_mailbox  boolean NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  last_used_at    timestamptz,
  UNIQUE (connection_id, subject)
);

CREATE INDEX external_identities_by_user ON external_identities (user_id, created_at, id);

-- The identity that opened a session, and the id of the session at the other service, which may end it. Sessions keep the id of an
-- identity that is gone.
ALTER TABLE sessions ADD COLUMN external_identity_id uuid, ADD COLUMN provider_session_id text;
ALTER TABLE second_factor_challenges ADD COLUMN external_identity_id uuid, ADD COLUMN provider_session_id text;
