-- compatible
-- no transaction
-- Those that are being sent: each claim counts them, and the others of an endpoint may be thousands.
CREATE INDEX CONCURRENTLY webhook_deliveries_claimed ON webhook_deliveries (endpoint_id, claimed_until)
  WHERE status = 'PENDING' AND claimed_until IS NOT NULL;
