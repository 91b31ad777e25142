-- People who can sign in. The email is stored in its canonical form (see core/users/email.ts), so that a plain
-- unique index decides which two addresses are the same.
CREATE TABLE users (
  id                  uuid PRIMARY KEY,
  email               text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  -- Argon2id in PHC form; NULL until the person has set a password.
  password_hash       text,
  full_name           text CHECK (length(full_name) BETWEEN 1 AND 200),
  phone_prefix        text CHECK (phone_prefix ~ '^\+[1-9][0-9]{0,3}$'),
  phone_number        text CHECK (phone_number ~ '^[0-9]{4,15}$'),
  profile_picture_url text CHECK (length(profile_picture_url) <= 2048),
  auth_provider       text NOT NULL DEFAULT 'password'
                      CHECK (auth_provider IN ('password', 'google', 'microsoft', 'sso', 'other')),
  global_role         text NOT NULL DEFAULT 'NONE'
                      CHECK (global_role IN ('NONE', 'PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN', 'PLATFORM_MODERATOR')),
  approval_status     text NOT NULL DEFAULT 'PENDING' CHECK (approval_status IN ('PENDING', 'APPROVED', 'REJECTED')),
  is_active           boolean NOT NULL DEFAULT false,
  -- Raised whenever issued access tokens must stop working while the session goes on.
  token_version       integer NOT NULL DEFAULT 1 CHECK (token_version > 0),
  legacy_ids          jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(legacy_ids) = 'object'),
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  last_login_at       timestamptz
) WITH (fillfactor = 85);

-- One index for three uses: uniqueness, look-up by the whole address, and search by its beginning (LIKE 'x%'), which
-- needs the pattern operators unless the database's collation is C.
CREATE UNIQUE INDEX users_email_key ON users (email text_pattern_ops);
-- The list, newest first, and its filters.
CREATE INDEX users_newest ON users (created_at DESC, id DESC);
CREATE INDEX users_by_approval ON users (approval_status, created_at DESC, id DESC);
CREATE INDEX users_by_role ON users (global_role, created_at DESC, id DESC) WHERE global_role <> 'NONE';
CREATE INDEX users_inactive ON users (created_at DESC, id DESC) WHERE NOT is_active;

-- Search by a part of the name needs trigrams. The extension is trusted since PostgreSQL 13, but a server may
-- lack it or forbid it: then the search still works, reading the table.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX users_full_name_trigrams ON users USING gin (full_name gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available: searching users by name will read the whole table';
END
$$;
