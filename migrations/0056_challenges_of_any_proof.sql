-- compatible
-- A sign-in that waits for a second factor is bound to what its first factor was: the password, or for a way in of the app around
-- the service the address of the account. Versions before it answer the latter as expired, since they compare a password.
ALTER TABLE second_factor_challenges
  DROP CONSTRAINT second_factor_challenges_origin_check,
  ALTER COLUMN password_digest DROP NOT NULL,
  -- SHA-256 of the address of the user, for a proof that is no password.
  ADD COLUMN email_digest bytea CHECK (octet_length(email_digest) = 32),
  -- RFC 8176 methods of the first factor, and its name in the audit log. Rows of versions before have neither.
  ADD COLUMN amr text[],
  ADD COLUMN method text,
  ADD CONSTRAINT second_factor_challenges_proof CHECK (num_nonnulls(password_digest, email_digest) = 1) NOT VALID;
