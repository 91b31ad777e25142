-- What happened, who did it, to whom, from where. Rows outlive the users and sessions they speak of, so there are
-- no foreign keys. Details never hold a secret.
CREATE TABLE auth_audit_logs (
  id              uuid PRIMARY KEY,
  occurred_at     timestamptz NOT NULL DEFAULT now(),
  event           text NOT NULL CHECK (event ~ '^[a-z][a-z0-9_.]{0,63}$'),
  outcome         text NOT NULL CHECK (outcome IN ('success', 'failure', 'denied')),
  actor           text NOT NULL,
  actor_user_id   uuid,
  subject_user_id uuid,
  company_id      uuid,
  session_id      uuid,
  ip_address      text CHECK (length(ip_address) <= 64),
  user_agent      text CHECK (length(user_agent) <= 256),
  request_id      text CHECK (length(request_id) <= 128),
  details         jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(details) = 'object')
);

CREATE INDEX auth_audit_logs_newest ON auth_audit_logs (occurred_at DESC, id DESC);
CREATE INDEX auth_audit_logs_by_event ON auth_audit_logs (event, occurred_at DESC, id DESC);
CREATE INDEX auth_audit_logs_by_subject ON auth_audit_logs (subject_user_id, occurred_at DESC, id DESC)
  WHERE subject_user_id IS NOT NULL;
CREATE INDEX auth_audit_logs_by_actor ON auth_audit_logs (actor_user_id, occurred_at DESC, id DESC)
  WHERE actor_user_id IS NOT NULL;
CREATE INDEX auth_audit_logs_by_session ON auth_audit_logs (session_id, occurred_at DESC, id DESC)
  WHERE session_id IS NOT NULL;
-- Failures and denials are few and looked for on their own; successes are found by the newest.
CREATE INDEX auth_audit_logs_refused ON auth_audit_logs (outcome, occurred_at DESC, id DESC)
  WHERE outcome <> 'success';
CREATE INDEX auth_audit_logs_by_company ON auth_audit_logs (company_id, occurred_at DESC, id DESC)
  WHERE company_id IS NOT NULL;
