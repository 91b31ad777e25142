-- compatible
-- Imports of users: how far each has come, so that one that was interrupted goes on without doubles. Holds no person.
CREATE TABLE user_imports (
  id            uuid PRIMARY KEY,
  -- SHA-256 of the file and of the options of the import.
  source_digest bytea NOT NULL CHECK (octet_length(source_digest) = 32),
  format        text NOT NULL,
  actor         text NOT NULL,
  -- The last entry that was decided.
  position      bigint NOT NULL DEFAULT 0 CHECK (position >= 0),
  created_count bigint NOT NULL DEFAULT 0,
  updated_count bigint NOT NULL DEFAULT 0,
  skipped_count bigint NOT NULL DEFAULT 0,
  rejected_count bigint NOT NULL DEFAULT 0,
  started_at    timestamptz NOT NULL DEFAULT now(),
  finished_at   timestamptz
) WITH (fillfactor = 50);

-- A file is imported by one run at a time.
CREATE UNIQUE INDEX user_imports_unfinished ON user_imports (source_digest) WHERE finished_at IS NULL;

-- What was rejected or left out, until the import is finished.
CREATE TABLE user_import_reports (
  import_id uuid NOT NULL REFERENCES user_imports (id) ON DELETE CASCADE,
  position  bigint NOT NULL,
  outcome   text NOT NULL CHECK (outcome IN ('rejected', 'incomplete')),
  reasons   text[] NOT NULL,
  PRIMARY KEY (import_id, position)
);
