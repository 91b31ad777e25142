-- compatible
-- no transaction
-- Follows the log in the order of transactions, which late commits cannot disturb.
CREATE INDEX CONCURRENTLY auth_audit_logs_by_transaction ON auth_audit_logs (transaction_id, id)
  WHERE transaction_id IS NOT NULL;
