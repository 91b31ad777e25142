-- compatible
-- What a role contained, and when. Who changed it is in the audit log.
CREATE TABLE company_role_revisions (
  id          uuid PRIMARY KEY,
  -- Without a foreign key: revisions outlive their role.
  role_id     uuid NOT NULL,
  company_id  uuid,
  key         text NOT NULL,
  version     integer NOT NULL,
  name        text NOT NULL,
  description text,
  modules     text[] NOT NULL,
  permissions text[] NOT NULL,
  delegation  jsonb NOT NULL,
  valid_from  timestamptz NOT NULL DEFAULT now(),
  -- Null while it is in effect.
  valid_until timestamptz,
  UNIQUE (role_id, version)
);

CREATE INDEX company_role_revisions_by_key ON company_role_revisions (company_id, key, valid_from);
CREATE INDEX company_role_revisions_by_end ON company_role_revisions (valid_until, id) WHERE valid_until IS NOT NULL;
