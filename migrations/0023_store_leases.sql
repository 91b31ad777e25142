-- The one process that keeps counters and one-time values in its own memory (REDIS_URL=memory:). A second one on this
-- database would not see them, and is refused while the first renews this row.
CREATE TABLE store_leases (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  holder     uuid NOT NULL,
  -- Host and process, for the message to whoever is refused.
  held_by    text NOT NULL,
  renewed_at timestamptz NOT NULL DEFAULT now()
);
