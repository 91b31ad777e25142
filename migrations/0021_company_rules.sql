-- Mailboxes of which nothing says that they were proved: the user was neither created by staff, a machine or an
-- operator nor invited, and has not confirmed a reset. An audit log that was shortened counts against the user, who then
-- signs in before accepting an invitation. Where nobody may register, this writes no row.
UPDATE users u SET email_verified_at = NULL
WHERE email_verified_at IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM auth_audit_logs a
  WHERE a.subject_user_id = u.id AND a.outcome = 'success'
    AND a.event IN ('user_created', 'password_reset_confirmed'));

-- The times of sending anew within the last hour, of which there are only so many.
ALTER TABLE invitations ADD COLUMN resent_at timestamptz[] NOT NULL DEFAULT '{}';
-- What a user has invited: how many today, and what is open when they lose the right to offer it.
CREATE INDEX invitations_by_inviter ON invitations (invited_by_user_id, created_at DESC)
  WHERE invited_by_user_id IS NOT NULL;

-- Which company has used a business unit first.
CREATE INDEX business_unit_memberships_first_use ON business_unit_memberships (business_unit_id, created_at, id);
