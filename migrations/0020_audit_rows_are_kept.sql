-- Nothing changes an audit row, and only the clean-up removes one: it says so for the length of its transaction. This
-- stops mistakes, in SQL of ours and typed by hand; the owner of the table can drop the trigger. One call for a
-- statement, however many rows it is about.
CREATE FUNCTION auth_audit_logs_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' AND current_setting('latchkey.audit_maintenance', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'audit rows are neither changed nor removed'
    USING ERRCODE = 'check_violation', HINT = 'Remove old ones by: latchkey cleanup --keep audit=<duration>';
END
$$;

CREATE TRIGGER auth_audit_logs_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON auth_audit_logs
  FOR EACH STATEMENT EXECUTE FUNCTION auth_audit_logs_refuse_change();
