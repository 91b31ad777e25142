-- compatible
-- The language of a user, as a language tag (BCP 47), in which mails are written; null for the language of the service. The
-- service's code holds the list of languages. NOT VALID: no row has one yet, so no row needs to be read.
ALTER TABLE users
  ADD COLUMN locale text,
  ADD CONSTRAINT users_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$') NOT VALID;

-- The language of the mail to an address without an account, and of the account that accepts.
ALTER TABLE invitations
  ADD COLUMN locale text,
  ADD CONSTRAINT invitations_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$') NOT VALID;

-- An erased user has no language either, and gets none.
DROP TRIGGER users_stay_erased ON users;
CREATE TRIGGER users_stay_erased BEFORE UPDATE ON users
  FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL AND
    (NEW.erased_at, NEW.email, NEW.password_hash, NEW.full_name, NEW.phone_prefix, NEW.phone_number, NEW.profile_picture_url,
     NEW.locale, NEW.legacy_ids, NEW.email_verified_at, NEW.last_login_at, NEW.global_role, NEW.approval_status, NEW.is_active)
    IS DISTINCT FROM
    (OLD.erased_at, OLD.email, OLD.password_hash, OLD.full_name, OLD.phone_prefix, OLD.phone_number, OLD.profile_picture_url,
     OLD.locale, OLD.legacy_ids, OLD.email_verified_at, OLD.last_login_at, OLD.global_role, OLD.approval_status, OLD.is_active))
  EXECUTE FUNCTION users_refuse_change_of_erased();
