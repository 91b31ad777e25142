-- Permissions granted to a member; no row means none.
CREATE TABLE membership_permissions (
  membership_id  uuid NOT NULL REFERENCES company_memberships (id) ON DELETE CASCADE,
  permission_key text NOT NULL CHECK (permission_key ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$'),
  created_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (membership_id, permission_key)
);
