-- compatible
-- no transaction
-- Finds the entries that are not counted yet, in an order that late commits cannot disturb.
CREATE INDEX CONCURRENTLY auth_audit_logs_to_count ON auth_audit_logs (transaction_id)
  WHERE event IN ('login', 'registration');
