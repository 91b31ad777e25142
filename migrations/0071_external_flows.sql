-- compatible
-- Sign-ins that are on their way through another service, for ten minutes, and identities that wait for their user to link them, for
-- fifteen.
CREATE TABLE external_flows (
  id               uuid PRIMARY KEY,
  state_digest     bytea NOT NULL UNIQUE,
  connection_id    text NOT NULL,
  purpose          text NOT NULL,
  -- S256 of the verifier that the client keeps.
  challenge        text NOT NULL,
  nonce            text NOT NULL,
  -- The verifier towards the service (RFC 7636), encrypted.
  verifier         bytea NOT NULL,
  verifier_key_id  text NOT NULL,
  redirect_uri     text NOT NULL,
  return_to        text,
  -- The session that links an identity or proves its user again.
  user_id          uuid REFERENCES users (id) ON DELETE CASCADE,
  session_id       uuid,
  address_bucket   text,
  created_at       timestamptz NOT NULL DEFAULT now(),
  expires_at       timestamptz NOT NULL,
  spent_at         timestamptz,
  -- An identity whose address has an account. Its user links it by this token.
  link_digest      bytea UNIQUE,
  link_identity    jsonb,
  link_version     integer
);

CREATE INDEX external_flows_by_bucket ON external_flows (address_bucket, expires_at) WHERE spent_at IS NULL;
CREATE INDEX external_flows_by_user ON external_flows (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX external_flows_oldest ON external_flows (created_at, id);

-- Logout tokens that were used (OpenID Connect Back-Channel Logout 1.0, section 2.6). Each use removes the expired ones.
CREATE TABLE external_logouts (
  token_digest  bytea PRIMARY KEY,
  expires_at    timestamptz NOT NULL
);

CREATE INDEX external_logouts_by_end ON external_logouts (expires_at);
