-- compatible
-- no transaction
-- The list of users in the order of names. The first 50 characters suffice for an order, and keep the cursors of pages short. Erased
-- users have no name: they would all stand before the first.
CREATE INDEX CONCURRENTLY users_by_name ON users (lower(left(coalesce(full_name, ''), 50)), id) WHERE erased_at IS NULL;
