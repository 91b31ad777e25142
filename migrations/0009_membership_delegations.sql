-- What a member may hand on to others.
CREATE TABLE membership_delegations (
  membership_id         uuid PRIMARY KEY REFERENCES company_memberships (id) ON DELETE CASCADE,
  can_manage_users      boolean NOT NULL DEFAULT false,
  can_buy_addons        boolean NOT NULL DEFAULT false,
  grantable_modules     text[] NOT NULL DEFAULT '{}' CHECK (cardinality(grantable_modules) <= 500),
  grantable_permissions text[] NOT NULL DEFAULT '{}' CHECK (cardinality(grantable_permissions) <= 500),
  updated_at            timestamptz NOT NULL DEFAULT now()
);
