-- compatible
-- Second factors. Secrets are encrypted by the service with keys that are not in the database; recovery codes and
-- challenges are stored as digests. So a copy of the tables signs nobody in.
CREATE TABLE totp_factors (
  id                uuid PRIMARY KEY,
  user_id           uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name              text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- Nonce, ciphertext and tag of AES-256-GCM; bound to user and id.
  encrypted_secret  bytea NOT NULL,
  -- Fingerprint of the key that encrypted it.
  key_id            text NOT NULL,
  -- The session or challenge that began the enrolment; only that one can confirm it.
  begun_by          uuid NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  -- Of an enrolment that is not confirmed; null afterwards.
  expires_at        timestamptz,
  confirmed_at      timestamptz,
  -- The last accepted time step (RFC 6238 section 4.2): no code is accepted twice.
  last_step         bigint,
  last_used_at      timestamptz,
  CHECK ((confirmed_at IS NULL) = (expires_at IS NOT NULL)),
  CHECK ((confirmed_at IS NULL) = (last_step IS NULL))
-- A use changes no indexed column; with room on the page it stays a heap-only update.
) WITH (fillfactor = 85);

CREATE INDEX totp_factors_by_user ON totp_factors (user_id);
-- Encrypting again what an older key has encrypted.
CREATE INDEX totp_factors_by_key ON totp_factors (key_id, id);
-- Cleaning up enrolments that were not confirmed, from the oldest on.
CREATE INDEX totp_factors_unconfirmed ON totp_factors (created_at DESC, id DESC) WHERE confirmed_at IS NULL;

CREATE TABLE recovery_codes (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_digest bytea NOT NULL CHECK (octet_length(code_digest) = 32),
  created_at  timestamptz NOT NULL DEFAULT now(),
  used_at     timestamptz
);

CREATE UNIQUE INDEX recovery_codes_digest_key ON recovery_codes (user_id, code_digest);

-- A sign-in whose first factor was right. It is worth nothing once the verified state of the user has changed.
CREATE TABLE second_factor_challenges (
  id                uuid PRIMARY KEY,
  user_id           uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  challenge_digest  bytea NOT NULL CHECK (octet_length(challenge_digest) = 32),
  origin            text NOT NULL CHECK (origin IN ('password', 'invitation')),
  token_version     integer NOT NULL,
  -- SHA-256 of the hash that the password was verified against.
  password_digest   bytea NOT NULL CHECK (octet_length(password_digest) = 32),
  factor_version    integer NOT NULL,
  -- The user has no factor yet and must set one up.
  enrols            boolean NOT NULL,
  -- Wrong proofs of any kind, which end the challenge, and the wrong codes among them, which count for the account.
  attempts          integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  wrong_codes       integer NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
  created_at        timestamptz NOT NULL DEFAULT now(),
  expires_at        timestamptz NOT NULL,
  spent_at          timestamptz
) WITH (fillfactor = 85);

CREATE UNIQUE INDEX second_factor_challenges_digest_key ON second_factor_challenges (challenge_digest);
-- Counting the wrong codes of an account in the last hour.
CREATE INDEX second_factor_challenges_by_user ON second_factor_challenges (user_id, created_at DESC);
-- Cleaning up, from the oldest row on.
CREATE INDEX second_factor_challenges_newest ON second_factor_challenges (created_at DESC, id DESC);

-- Raised by every change of the user's factors, so that a sign-in which began before it comes to nothing. Constant
-- defaults need no rewrite of the table.
ALTER TABLE users ADD COLUMN factor_version integer NOT NULL DEFAULT 0;

-- The level of the sign-in. Null for rows of earlier versions: there a passkey, `hwk`, was the only second factor.
-- Not indexed, so rotation stays a heap-only update.
ALTER TABLE sessions ADD COLUMN acr text CHECK (acr IN ('aal1', 'aal2'));

-- Not validated, which would read the whole table under this lock: every row has passed a narrower list of reasons.
ALTER TABLE sessions
  DROP CONSTRAINT sessions_revoke_reason_check,
  ADD CONSTRAINT sessions_revoke_reason_check CHECK (revoke_reason IN (
    'logout', 'logout_all', 'logout_others', 'revoked', 'revoke_all', 'deactivated', 'approval_withdrawn',
    'password_changed', 'password_reset', 'refresh_reuse', 'confirmation_failed', 'factors_reset')) NOT VALID;
