-- compatible
-- Browsers on which users have proved a second factor and are not asked for it for some days. The browser keeps the secret in a cookie.
CREATE TABLE trusted_devices (
  id              uuid PRIMARY KEY,
  user_id         uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  secret_digest   bytea NOT NULL UNIQUE,
  -- The state of the user at which the device was trusted: it ends with every change of role, password or factors.
  token_version   integer NOT NULL,
  factor_version  integer NOT NULL,
  label           text,
  -- The address of the last sign-in.
  ip_address      text,
  created_at      timestamptz NOT NULL DEFAULT now(),
  last_used_at    timestamptz,
  expires_at      timestamptz NOT NULL
);

CREATE INDEX trusted_devices_by_user ON trusted_devices (user_id, created_at);
CREATE INDEX trusted_devices_oldest ON trusted_devices (created_at, id);
