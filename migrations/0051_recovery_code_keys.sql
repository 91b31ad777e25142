-- compatible
-- Recovery codes are kept as HMACs. The key of a set is encrypted by the service with keys that are not in the database, bound to
-- the user, and is the same in every row of the set. Null in rows of earlier versions, whose digests have no key: they are accepted
-- until they are used or replaced, and `latchkey keys reencrypt` gives them a key.
ALTER TABLE recovery_codes
  -- Nonce, ciphertext and tag of AES-256-GCM.
  ADD COLUMN encrypted_key bytea,
  -- Fingerprint of the key that encrypted it.
  ADD COLUMN key_id text;

-- Not validated, which would read the whole table under this lock: both are null in every row.
ALTER TABLE recovery_codes
  ADD CONSTRAINT recovery_codes_key_check CHECK ((encrypted_key IS NULL) = (key_id IS NULL)) NOT VALID;
