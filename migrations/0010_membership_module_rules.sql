-- The rules that decide under the ENFORCED access policy: grants of the member and of teams, minus denies.
CREATE TABLE membership_module_rules (
  id            uuid PRIMARY KEY,
  membership_id uuid NOT NULL REFERENCES company_memberships (id) ON DELETE CASCADE,
  module_key    text NOT NULL CHECK (module_key ~ '^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$'),
  effect        text NOT NULL CHECK (effect IN ('GRANT', 'DENY')),
  source        text NOT NULL CHECK (source IN ('MEMBER', 'TEAM')),
  team_id       uuid,
  created_at    timestamptz NOT NULL DEFAULT now(),
  CHECK (source = 'TEAM' OR team_id IS NULL),
  UNIQUE NULLS NOT DISTINCT (membership_id, module_key, effect, source, team_id)
);
