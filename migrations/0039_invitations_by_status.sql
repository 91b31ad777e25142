-- compatible
-- Administrators of the platform list the invitations of all companies by status.
CREATE INDEX invitations_by_status ON invitations (status, created_at DESC, id DESC);
-- Open ones have an expiry in the future: those that expired before are many, and not read for them.
CREATE INDEX invitations_pending_by_expiry ON invitations (expires_at) WHERE status = 'PENDING';
