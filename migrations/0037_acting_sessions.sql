-- compatible
-- A session that a machine opened for an actor who acts in it for its user: a member of staff, or a person named in free text. All
-- columns are null for a session of the user's own, and for all older rows. Only the two by which such sessions end are indexed;
-- a rotation does not change these, so it stays a heap-only update.
ALTER TABLE sessions
  -- `sub` of the claim `act` (RFC 8693): the id of the member of staff, or the machine that vouches for the name.
  ADD COLUMN acting_sub text CHECK (length(acting_sub) <= 200),
  ADD COLUMN acting_user_id uuid,
  ADD COLUMN acting_name text CHECK (length(acting_name) <= 200),
  -- The session ends with this one of the acting member of staff. No foreign key, as for the parent of a hand-off.
  ADD COLUMN acting_session_id uuid,
  ADD COLUMN acting_reason text CHECK (length(acting_reason) <= 500),
  -- No rotation moves the end of the session past this.
  ADD COLUMN acting_until timestamptz;

CREATE INDEX sessions_acted_by_session ON sessions (acting_session_id) WHERE acting_session_id IS NOT NULL;
CREATE INDEX sessions_acted_by_user ON sessions (acting_user_id) WHERE acting_user_id IS NOT NULL;

-- Who acted in the session of a user that the row names as actor.
ALTER TABLE auth_audit_logs
  ADD COLUMN acted_by_user_id uuid,
  ADD COLUMN acted_by_name text CHECK (length(acted_by_name) <= 200);

CREATE INDEX auth_audit_logs_by_acting ON auth_audit_logs (acted_by_user_id, occurred_at DESC, id DESC)
  WHERE acted_by_user_id IS NOT NULL;

-- Address and user agent are those of the actor. They are erased with that person, too.
CREATE OR REPLACE FUNCTION auth_audit_logs_forget_erased() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF is_erased_user(coalesce(NEW.actor_user_id, NEW.subject_user_id))
    OR (NEW.acted_by_user_id IS NOT NULL AND is_erased_user(NEW.acted_by_user_id)) THEN
    NEW.ip_address := NULL;
    NEW.user_agent := NULL;
  END IF;
  RETURN NEW;
END
$$;

-- An erasure may also overwrite a free text that names the person.
CREATE OR REPLACE FUNCTION auth_audit_logs_refuse_other_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.ip_address IS NOT NULL AND NEW.ip_address IS DISTINCT FROM OLD.ip_address)
    OR (NEW.user_agent IS NOT NULL AND NEW.user_agent IS DISTINCT FROM OLD.user_agent)
    OR (NEW.acted_by_name IS DISTINCT FROM OLD.acted_by_name AND NEW.acted_by_name IS DISTINCT FROM '[erased]')
    OR to_jsonb(NEW) - '{ip_address,user_agent,details,acted_by_name}'::text[]
      <> to_jsonb(OLD) - '{ip_address,user_agent,details,acted_by_name}'::text[] THEN
    RAISE EXCEPTION 'an erasure removes personal data from audit rows and changes nothing else'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;
