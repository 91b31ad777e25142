-- compatible
-- A user whose personal data was erased: the row stays under its id as a tombstone, for rows that name it. Nothing about the user
-- is written any more, by any version of the service: whoever has read the user before the erasure finds out here.
ALTER TABLE users ADD COLUMN erased_at timestamptz;

CREATE FUNCTION users_refuse_change_of_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the personal data of this user was erased' USING ERRCODE = 'LK001';
END
$$;

-- Other columns, such as new ones, may be written for all rows at once.
CREATE TRIGGER users_stay_erased BEFORE UPDATE ON users
  FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL AND
    (NEW.erased_at, NEW.email, NEW.password_hash, NEW.full_name, NEW.phone_prefix, NEW.phone_number, NEW.profile_picture_url,
     NEW.legacy_ids, NEW.email_verified_at, NEW.last_login_at, NEW.global_role, NEW.approval_status, NEW.is_active)
    IS DISTINCT FROM
    (OLD.erased_at, OLD.email, OLD.password_hash, OLD.full_name, OLD.phone_prefix, OLD.phone_number, OLD.profile_picture_url,
     OLD.legacy_ids, OLD.email_verified_at, OLD.last_login_at, OLD.global_role, OLD.approval_status, OLD.is_active))
  EXECUTE FUNCTION users_refuse_change_of_erased();

-- Runs after the check of the foreign key, which waits for an erasure in progress (triggers run in the order of their names, and
-- those of foreign keys begin with a capital letter). Sessions and their devices need none: they are inserted by a statement that
-- updates their user.
CREATE FUNCTION refuse_rows_of_erased_user() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM users WHERE id = NEW.user_id AND erased_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the personal data of this user was erased' USING ERRCODE = 'LK001';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON company_memberships
  FOR EACH ROW EXECUTE FUNCTION refuse_rows_of_erased_user();
CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON passkey_credentials
  FOR EACH ROW EXECUTE FUNCTION refuse_rows_of_erased_user();
CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON totp_factors
  FOR EACH ROW EXECUTE FUNCTION refuse_rows_of_erased_user();
CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON recovery_codes
  FOR EACH ROW EXECUTE FUNCTION refuse_rows_of_erased_user();
CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON second_factor_challenges
  FOR EACH ROW EXECUTE FUNCTION refuse_rows_of_erased_user();
CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON email_verification_tokens
  FOR EACH ROW EXECUTE FUNCTION refuse_rows_of_erased_user();
CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON password_reset_tokens
  FOR EACH ROW EXECUTE FUNCTION refuse_rows_of_erased_user();
CREATE TRIGGER refuse_rows_of_erased_user AFTER INSERT ON email_changes
  FOR EACH ROW EXECUTE FUNCTION refuse_rows_of_erased_user();

-- Mails and audit rows have no foreign key, and no lock of the user: a request may queue or write one at any time. They wait for
-- an erasure by this advisory lock, which the erasure holds exclusively, then see its result.
CREATE FUNCTION is_erased_user(id_of_user uuid) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('erasure:' || id_of_user, 0));
  RETURN EXISTS (SELECT FROM users WHERE id = id_of_user AND erased_at IS NOT NULL);
END
$$;

-- The user to whose address a mail is sent. Null for an address without an account, and in mail of the previous version.
ALTER TABLE mail_outbox ADD COLUMN user_id uuid;
CREATE INDEX mail_outbox_by_user ON mail_outbox (user_id) WHERE user_id IS NOT NULL;

CREATE FUNCTION mail_outbox_drop_mail_to_erased() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN CASE WHEN is_erased_user(NEW.user_id) THEN NULL ELSE NEW END;
END
$$;

CREATE TRIGGER mail_outbox_drop_mail_to_erased BEFORE INSERT ON mail_outbox
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION mail_outbox_drop_mail_to_erased();

-- Address and user agent are those of the actor. Of an anonymous request they are taken for those of the subject.
CREATE FUNCTION auth_audit_logs_forget_erased() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF is_erased_user(coalesce(NEW.actor_user_id, NEW.subject_user_id)) THEN
    NEW.ip_address := NULL;
    NEW.user_agent := NULL;
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER auth_audit_logs_forget_erased BEFORE INSERT ON auth_audit_logs
  FOR EACH ROW WHEN ((NEW.ip_address IS NOT NULL OR NEW.user_agent IS NOT NULL)
    AND (NEW.actor_user_id IS NOT NULL OR (NEW.actor = 'anonymous' AND NEW.subject_user_id IS NOT NULL)))
  EXECUTE FUNCTION auth_audit_logs_forget_erased();

-- An erasure changes audit rows, and nothing but what may be personal in them.
CREATE OR REPLACE FUNCTION auth_audit_logs_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' AND current_setting('latchkey.audit_maintenance', true) = 'on' THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' AND current_setting('latchkey.audit_erasure', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'audit rows are neither changed nor removed'
    USING ERRCODE = 'check_violation', HINT = 'Remove old ones by: latchkey cleanup --keep audit=<duration>';
END
$$;

CREATE FUNCTION auth_audit_logs_refuse_other_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.ip_address IS NOT NULL AND NEW.ip_address IS DISTINCT FROM OLD.ip_address)
    OR (NEW.user_agent IS NOT NULL AND NEW.user_agent IS DISTINCT FROM OLD.user_agent)
    OR to_jsonb(NEW) - '{ip_address,user_agent,details}'::text[]
      <> to_jsonb(OLD) - '{ip_address,user_agent,details}'::text[] THEN
    RAISE EXCEPTION 'an erasure removes personal data from audit rows and changes nothing else'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER auth_audit_logs_stay_as_they_are BEFORE UPDATE ON auth_audit_logs
  FOR EACH ROW EXECUTE FUNCTION auth_audit_logs_refuse_other_change();

-- What an erasure looks for. The index on the sessions that are not revoked has the others.
CREATE INDEX sessions_revoked_by_user ON sessions (user_id) WHERE is_revoked;
CREATE INDEX invitations_by_accepter ON invitations (accepted_by_user_id) WHERE accepted_by_user_id IS NOT NULL;
