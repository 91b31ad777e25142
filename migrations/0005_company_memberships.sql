-- A user's place in a company. Companies are kept by another service, so company_id references nothing here.
CREATE TABLE company_memberships (
  id                       uuid PRIMARY KEY,
  user_id                  uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  company_id               uuid NOT NULL,
  role                     text NOT NULL DEFAULT 'MEMBER' CHECK (role ~ '^[A-Z][A-Z0-9_]{0,63}$'),
  is_active                boolean NOT NULL DEFAULT true,
  -- A decimal kept exactly as it was given; NULL means unlimited.
  approval_limit           text CHECK (approval_limit ~ '^[0-9]{1,15}(\.[0-9]{1,4})?$'),
  finance_role             text CHECK (finance_role IN ('SUBMITTER', 'APPROVER')),
  is_primary_finance_admin boolean NOT NULL DEFAULT false,
  created_at               timestamptz NOT NULL DEFAULT now(),
  updated_at               timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, company_id),
  CHECK (is_active OR NOT is_primary_finance_admin)
);

CREATE UNIQUE INDEX company_memberships_one_primary_finance_admin ON company_memberships (company_id)
  WHERE is_primary_finance_admin;
CREATE INDEX company_memberships_by_company ON company_memberships (company_id, created_at DESC, id DESC);
