-- compatible
-- Users as the app around the service may read them: the only part of the schema, beside users.id, that later versions keep. No
-- row disappears, so a join always finds its user; a tombstone has neither address nor name.
CREATE VIEW latchkey_people AS
  SELECT id,
         CASE WHEN erased_at IS NULL THEN email END AS email,
         full_name,
         is_active,
         erased_at AS deleted_at
  FROM users;

COMMENT ON VIEW latchkey_people IS 'Stable: columns stay, and no row disappears. Refer to users (id) by foreign keys.';
