-- compatible
-- no transaction
-- The audit log by IP address or by the text that the addresses of a network begin with.
CREATE INDEX CONCURRENTLY auth_audit_logs_by_address ON auth_audit_logs (ip_address text_pattern_ops, occurred_at DESC, id DESC) WHERE ip_address IS NOT NULL;
