-- compatible
-- What a step-up leaves beside time, methods and level of the sign-in. Not indexed, so rotation stays a heap-only update.
ALTER TABLE sessions
  -- When the second factor was last proved in a session that did not begin with it, or was proved again.
  ADD COLUMN second_factor_at timestamptz,
  -- When the ceremony began by which a passkey last raised the session. An earlier one raises nothing, so a challenge
  -- that a restored Redis brings back is not spent twice.
  ADD COLUMN step_up_ceremony_at timestamptz;
