-- compatible
-- What a mail has yet to name of the sign-in from a device: the daily limit held its notice back. Null for a device that is
-- known: its sign-in was mailed, or was the first of the account.
ALTER TABLE sign_in_devices ADD COLUMN held_back jsonb;
