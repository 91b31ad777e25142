-- All invitations of an address, closed ones too: operators look for them.
DROP INDEX invitations_by_email;
CREATE INDEX invitations_by_email ON invitations (email, created_at DESC, id DESC);
