-- compatible
-- Sign-ins by a mailed link or code, written when the mail is sent. Both are worth nothing without the verifier of the client that asked.
CREATE TABLE mailed_sign_ins (
  -- The id of the mail: a second attempt at sending it replaces its secrets.
  id             uuid PRIMARY KEY,
  user_id        uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- S256 of the verifier that the client keeps.
  challenge      text NOT NULL,
  token_digest   bytea NOT NULL,
  code_digest    bytea NOT NULL,
  -- The state of the user for which the mail was sent.
  token_version  integer NOT NULL,
  email_digest   bytea NOT NULL,
  wrong_codes    integer NOT NULL DEFAULT 0,
  requested_at   timestamptz NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now(),
  expires_at     timestamptz NOT NULL,
  used_at        timestamptz
);

CREATE INDEX mailed_sign_ins_by_challenge ON mailed_sign_ins (challenge);
CREATE INDEX mailed_sign_ins_by_user ON mailed_sign_ins (user_id, created_at);
CREATE INDEX mailed_sign_ins_oldest ON mailed_sign_ins (created_at, id);
