-- When the password was last set, by whomever: a reset mail that was asked for before it gets no link.
-- When the account's allowance of reset mails is full again: each mail moves it further ahead, time brings it nearer.
-- Both are null for what has not happened since.
ALTER TABLE users
  ADD COLUMN password_changed_at timestamptz,
  ADD COLUMN reset_mails_full_at timestamptz;
