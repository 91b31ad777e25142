-- compatible
-- no transaction
CREATE INDEX CONCURRENTLY sign_in_devices_held_back ON sign_in_devices (user_id) WHERE held_back IS NOT NULL;
