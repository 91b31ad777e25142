-- The second scope below a company membership: it cannot exist without one.
CREATE TABLE business_unit_memberships (
  id                  uuid PRIMARY KEY,
  user_id             uuid NOT NULL,
  company_id          uuid NOT NULL,
  business_unit_id    uuid NOT NULL,
  is_active           boolean NOT NULL DEFAULT true,
  finance_role        text CHECK (finance_role IN ('SUBMITTER', 'APPROVER')),
  approval_limit      text CHECK (approval_limit ~ '^[0-9]{1,15}(\.[0-9]{1,4})?$'),
  is_primary_approver boolean NOT NULL DEFAULT false,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, company_id, business_unit_id),
  FOREIGN KEY (user_id, company_id) REFERENCES company_memberships (user_id, company_id) ON DELETE CASCADE,
  CHECK (NOT is_primary_approver OR (is_active AND finance_role IS NOT DISTINCT FROM 'APPROVER'))
);

CREATE UNIQUE INDEX business_unit_memberships_one_primary_approver
  ON business_unit_memberships (company_id, business_unit_id) WHERE is_primary_approver;
CREATE INDEX business_unit_memberships_by_unit
  ON business_unit_memberships (company_id, business_unit_id, created_at DESC, id DESC);
