-- Public halves of passkeys; private keys and biometrics never leave the person's device.
CREATE TABLE passkey_credentials (
  id            uuid PRIMARY KEY,
  user_id       uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id text NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1400),
  public_key    bytea NOT NULL,
  counter       bigint NOT NULL DEFAULT 0 CHECK (counter >= 0),
  device_type   text NOT NULL CHECK (device_type IN ('singleDevice', 'multiDevice')),
  backed_up     boolean NOT NULL,
  transports    text[] NOT NULL DEFAULT '{}',
  aaguid        uuid,
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz
) WITH (fillfactor = 85);

CREATE UNIQUE INDEX passkey_credentials_credential_key ON passkey_credentials (credential_id);
CREATE INDEX passkey_credentials_by_user ON passkey_credentials (user_id, created_at DESC, id DESC);
