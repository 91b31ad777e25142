-- compatible
-- no transaction
-- The active members that a role has, in one company or in all.
CREATE INDEX CONCURRENTLY company_memberships_by_role ON company_memberships (role, company_id, id) WHERE is_active;
