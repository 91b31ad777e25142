-- compatible
-- The contents of roles, of one company or for all. They are read when access is resolved and copied nowhere, so a change has an effect
-- at once. A role without a row here is a name only.
CREATE TABLE company_roles (
  id          uuid PRIMARY KEY,
  -- Null: a template, for every company without a definition of its own.
  company_id  uuid,
  key         text NOT NULL CHECK (key ~ '^[A-Z][A-Z0-9_]{0,63}$' AND key NOT IN ('TENANT_SUPERADMIN', 'ADMIN')),
  name        text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  description text CHECK (length(description) BETWEEN 1 AND 500),
  modules     text[] NOT NULL,
  permissions text[] NOT NULL,
  delegation  jsonb NOT NULL
    CHECK (delegation ?& ARRAY['canManageUsers', 'canBuyAddons', 'grantableModules', 'grantablePermissions']),
  version     integer NOT NULL DEFAULT 1,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (company_id, key)
);
