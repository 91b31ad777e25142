-- compatible
-- The companies that members and invitations name, with the name of each that the service has learned: lists of companies are read from
-- here, and wait for no other service. Triggers add the rows, so that every writer does, versions before this one too, in the
-- transaction of the membership or invitation.
CREATE TABLE known_companies (
  company_id       uuid PRIMARY KEY,
  -- Null until one is learned.
  name             text CHECK (length(name) BETWEEN 1 AND 80),
  -- The name in lower case, as searches compare it.
  search_name      text COLLATE "C" NOT NULL DEFAULT '',
  -- Entitlements take precedence over what inviters write.
  name_source      text CHECK (name_source IN ('entitlements', 'invitation')),
  -- Who invited with this name: erasing that user removes it.
  named_by_user_id uuid,
  is_unnamed       boolean GENERATED ALWAYS AS (name IS NULL) STORED,
  CHECK ((name IS NULL) = (name_source IS NULL))
);

-- The order of the list: by name, then companies without one.
CREATE INDEX known_companies_by_name ON known_companies (is_unnamed, search_name, company_id);
CREATE INDEX known_companies_by_inviter ON known_companies (named_by_user_id) WHERE named_by_user_id IS NOT NULL;

CREATE FUNCTION known_companies_add() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  -- In one order, so that two statements about several companies do not wait for each other in turn.
  INSERT INTO known_companies (company_id) SELECT DISTINCT company_id FROM added ORDER BY company_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER company_memberships_add_company AFTER INSERT ON company_memberships
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION known_companies_add();
CREATE TRIGGER invitations_add_company AFTER INSERT ON invitations
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION known_companies_add();

-- One step in the index for each company, however many members it has.
INSERT INTO known_companies (company_id)
WITH RECURSIVE each_company AS (
  (SELECT company_id FROM company_memberships ORDER BY company_id LIMIT 1)
  UNION ALL
  SELECT (SELECT m.company_id FROM company_memberships m WHERE m.company_id > e.company_id ORDER BY m.company_id LIMIT 1)
  FROM each_company e WHERE e.company_id IS NOT NULL
)
SELECT company_id FROM each_company WHERE company_id IS NOT NULL
ON CONFLICT DO NOTHING;

INSERT INTO known_companies (company_id)
WITH RECURSIVE each_company AS (
  (SELECT company_id FROM invitations ORDER BY company_id LIMIT 1)
  UNION ALL
  SELECT (SELECT i.company_id FROM invitations i WHERE i.company_id > e.company_id ORDER BY i.company_id LIMIT 1)
  FROM each_company e WHERE e.company_id IS NOT NULL
)
SELECT company_id FROM each_company WHERE company_id IS NOT NULL
ON CONFLICT DO NOTHING;

-- Names of invitations before this version. The rule is that of the code or stricter, so a rare name waits for the next invitation.
UPDATE known_companies k
SET name = named.name, search_name = lower(named.name), name_source = 'invitation', named_by_user_id = named.invited_by_user_id
FROM known_companies each_company
CROSS JOIN LATERAL (
  SELECT i.metadata->>'companyName' AS name, i.invited_by_user_id FROM invitations i
  WHERE i.company_id = each_company.company_id
    AND i.metadata->>'companyName' ~ '^[[:alnum:]]([[:alnum:] ''’&+(),/-]|\.(?![[:alnum:]/])){0,79}$'
  ORDER BY i.created_at DESC, i.id DESC LIMIT 1
) named
WHERE k.company_id = each_company.company_id;
