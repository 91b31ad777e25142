-- An offer to join a company. The token leaves by mail only; its digest is written when the mail is sent.
CREATE TABLE invitations (
  id                  uuid PRIMARY KEY,
  company_id          uuid NOT NULL,
  email               text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  role                text NOT NULL DEFAULT 'MEMBER' CHECK (role ~ '^[A-Z][A-Z0-9_]{0,63}$'),
  -- EXPIRED is written when a newer invitation takes the place of an expired one; until then expires_at tells.
  status              text NOT NULL DEFAULT 'PENDING'
                      CHECK (status IN ('PENDING', 'ACCEPTED', 'CANCELLED', 'EXPIRED')),
  invited_by_user_id  uuid REFERENCES users (id) ON DELETE SET NULL,
  accepted_by_user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  token_digest        bytea CHECK (octet_length(token_digest) = 32),
  module_grants       text[] NOT NULL DEFAULT '{}' CHECK (cardinality(module_grants) <= 500),
  permission_grants   text[] NOT NULL DEFAULT '{}' CHECK (cardinality(permission_grants) <= 500),
  delegation          jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(delegation) = 'object'),
  metadata            jsonb CHECK (jsonb_typeof(metadata) = 'object'),
  expires_at          timestamptz NOT NULL,
  accepted_at         timestamptz,
  cancelled_at        timestamptz,
  last_sent_at        timestamptz,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  CHECK ((status = 'ACCEPTED') = (accepted_at IS NOT NULL)),
  CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL))
);

CREATE UNIQUE INDEX invitations_token_key ON invitations (token_digest) WHERE token_digest IS NOT NULL;
CREATE UNIQUE INDEX invitations_one_open ON invitations (company_id, email) WHERE status = 'PENDING';
CREATE INDEX invitations_by_company ON invitations (company_id, created_at DESC, id DESC);
CREATE INDEX invitations_by_email ON invitations (email) WHERE status = 'PENDING';
