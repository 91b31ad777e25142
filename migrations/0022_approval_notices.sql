-- compatible
-- The mails that tell of decisions on registrations, and of registrations that wait. The rows that are there passed the
-- shorter list; checking them again would hold the table while it is read.
ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check;
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_kind_check CHECK (kind IN (
  'pending_registration', 'registration_approved', 'registration_rejected', 'approval_waiting', 'invitation',
  'password_reset', 'password_changed', 'passkey_added', 'passkey_removed')) NOT VALID;

-- When each configured address is next told, or was last told, that registrations wait for approval: at most one mail an
-- hour. The row decides between replicas.
CREATE TABLE approval_notices (
  recipient  text PRIMARY KEY,
  due_at     timestamptz NOT NULL
);
