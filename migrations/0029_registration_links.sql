-- compatible
-- The second link of a registration mail, with which the owner of the mailbox deletes a registration that is not theirs.
-- And whether a link was requested again: those are limited for each user.
ALTER TABLE email_verification_tokens
  ADD COLUMN rejection_digest bytea CHECK (octet_length(rejection_digest) = 32),
  ADD COLUMN is_resent boolean NOT NULL DEFAULT false;

CREATE UNIQUE INDEX email_verification_tokens_rejection_key ON email_verification_tokens (rejection_digest)
  WHERE rejection_digest IS NOT NULL;
