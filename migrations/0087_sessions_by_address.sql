-- compatible
-- no transaction
-- Active sessions by IP address or by the text that the addresses of a network begin with.
CREATE INDEX CONCURRENTLY sessions_live_by_address ON sessions (ip_address text_pattern_ops, created_at DESC, id DESC) WHERE NOT is_revoked AND ip_address IS NOT NULL;
