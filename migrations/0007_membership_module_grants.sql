-- Modules granted to a member. It decides under the LEGACY and SHADOW access policies, where no row means no limit.
CREATE TABLE membership_module_grants (
  membership_id uuid NOT NULL REFERENCES company_memberships (id) ON DELETE CASCADE,
  module_key    text NOT NULL CHECK (module_key ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$'),
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (membership_id, module_key)
);
