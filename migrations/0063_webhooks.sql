-- compatible
-- Signed messages to the servers of others about what the audit log has. A dispatcher follows the log and queues a delivery for each
-- endpoint that wants the event; nothing of a request does.
CREATE TABLE webhook_endpoints (
  id                  uuid PRIMARY KEY,
  -- Null: events of the whole platform.
  company_id          uuid,
  url                 text NOT NULL CHECK (length(url) <= 2048),
  events              text[] NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 100),
  description         text NOT NULL DEFAULT '' CHECK (length(description) <= 200),
  secret              bytea NOT NULL,
  secret_key_id       text NOT NULL,
  -- The secret before a rotation signs, too, until then.
  former_secret       bytea,
  former_secret_key_id text,
  former_until        timestamptz,
  is_active           boolean NOT NULL DEFAULT true,
  disabled_reason     text CHECK (disabled_reason IN ('gone', 'failing')),
  -- The first failure since the last success.
  failing_since       timestamptz,
  created_by_user_id  uuid,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  -- What had been committed when the endpoint was created is not for it. A text, as that of the audit log.
  created_snapshot    text NOT NULL DEFAULT pg_current_snapshot()::text,
  CHECK ((former_secret IS NULL) = (former_until IS NULL)),
  CHECK ((former_secret IS NULL) = (former_secret_key_id IS NULL))
);

CREATE INDEX webhook_endpoints_by_company ON webhook_endpoints (company_id, created_at, id);
CREATE INDEX webhook_endpoints_by_creator ON webhook_endpoints (created_by_user_id) WHERE created_by_user_id IS NOT NULL;

CREATE TABLE webhook_deliveries (
  id               uuid PRIMARY KEY,
  endpoint_id      uuid NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  -- Null for a test.
  audit_id         uuid,
  event            text NOT NULL CHECK (length(event) <= 64),
  payload          text NOT NULL CHECK (octet_length(payload) <= 20480),
  status           text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SENT', 'DEAD', 'SKIPPED')),
  attempts         integer NOT NULL DEFAULT 0,
  next_attempt_at  timestamptz NOT NULL DEFAULT now(),
  claimed_until    timestamptz,
  last_status      integer,
  last_error       text CHECK (last_error IN ('refused', 'timeout', 'tls', 'status')),
  created_at       timestamptz NOT NULL DEFAULT now(),
  ended_at         timestamptz,
  UNIQUE (endpoint_id, audit_id)
);

-- The one that is due longest at each endpoint, and which endpoints have any.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_unfinished ON webhook_deliveries (status) WHERE status IN ('PENDING', 'DEAD');
-- Cleaning up from the oldest row on.
CREATE INDEX webhook_deliveries_oldest ON webhook_deliveries (created_at, id);

-- How far the log has been followed: by transactions, because rows commit in another order than they are written, then by id. Ids
-- of transactions begin anew in a restored database; entries from before `queued_since` are queued then.
CREATE TABLE webhook_cursor (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  queued_to     xid8 NOT NULL DEFAULT '0',
  queued_id     uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  queued_at     timestamptz,
  queued_since  timestamptz NOT NULL DEFAULT '-infinity'
);

INSERT INTO webhook_cursor DEFAULT VALUES;
