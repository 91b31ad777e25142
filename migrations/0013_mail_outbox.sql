-- Mail that waits to be sent. A row is written in the transaction of its cause. The payload never holds a secret:
-- one-time links are made when the mail is sent, and only their digests are stored, with the cause.
CREATE TABLE mail_outbox (
  id              uuid PRIMARY KEY,
  kind            text NOT NULL CHECK (kind IN ('pending_registration', 'invitation', 'password_reset',
                                                'password_changed', 'passkey_added', 'passkey_removed')),
  -- One bare address. What could name a second recipient or start a header is refused here too.
  recipient       text NOT NULL CHECK (length(recipient) <= 254)
                  CHECK (recipient ~ '^[^[:space:][:cntrl:]<>,;@]+@[^[:space:][:cntrl:]<>,;@]+$'),
  payload         jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(payload) = 'object'),
  -- SKIPPED: the cause no longer stood when the mail was due. DEAD: given up, last_error says why.
  status          text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SENT', 'SKIPPED', 'DEAD')),
  -- Raised by every claim, so it also tells one claim of a row from the next.
  attempts        integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  last_error      text CHECK (length(last_error) <= 500),
  created_at      timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  -- Until then the row belongs to the worker that claimed it.
  claimed_until   timestamptz,
  sent_at         timestamptz,
  CHECK ((status = 'SENT') = (sent_at IS NOT NULL))
);

CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at) WHERE status = 'PENDING';
