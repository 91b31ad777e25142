import {
  BREACH_LOOKUP_OUTCOMES,
  EMAIL_CHANGE_STEPS,
  EMAIL_VERIFICATION_STEPS,
  HASHING_OPERATIONS,
  LIMIT_DECISIONS,
  LIMITS,
  PASSWORD_RESET_STEPS,
  REFRESH_OUTCOMES,
  SECOND_FACTOR_KINDS,
  SIGN_IN_METHODS,
  SIGN_IN_OUTCOMES,
  STEP_UP_METHODS,
  WEBHOOK_OUTCOMES,
} from '../kernel/observer.js';
import { OUTCOMES } from '../kernel/use-case-outcome.js';
import { BACKLOG_STATES } from '../mail/outbox-repository.js';
import { counter, gauge, histogram } from './metric-definition.js';

/** From a response out of memory to the deadline of every response, 4.7 s. */
const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Argon2id with the default parameters takes about 30 ms of an idle core. */
const HASHING_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Up to the longest `CORE_TIMEOUT` that leaves time for a response. */
const LOOKUP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Metrics that the service records while it works. */
export const serviceDefinitions = {
  httpDuration: histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Duration of requests, by the pattern of the route. Requests without a matching route or page are excluded.',
    labels: {
      route: 'the pattern, such as `/internal/users/{id}`, without the prefix of a host app',
      method: 'upper case',
      status: 'the HTTP status',
    },
    buckets: HTTP_BUCKETS,
  }),
  unforeseenFailures: counter({
    name: 'latchkey_unforeseen_failures_total',
    help: 'Requests that ended in `internal_error`, a defect. Every route starts at 0, so that the first failure is an increase.',
    labels: { route: 'the pattern, as above' },
  }),
  httpInFlight: gauge({
    name: 'latchkey_http_requests_in_flight',
    help: 'Requests in progress.',
    labels: {},
  }),
  unknownAddresses: counter({
    name: 'latchkey_unknown_client_addresses_total',
    help: 'Requests whose client address is unknown, because a proxy forwarded something that is not an address. They share one count in every rate limit. Check `X-Forwarded-For` and `TRUST_PROXY`.',
    labels: {},
  }),
  signIns: counter({
    name: 'latchkey_sign_ins_total',
    help: 'Sign-in attempts by outcome. `limited` is the limit per account; attempts rejected by the limit per address are not counted. `invitation` counts new users who are signed in when they accept. `second_factor_required` is no session yet.',
    labels: { method: SIGN_IN_METHODS, outcome: SIGN_IN_OUTCOMES },
  }),
  secondFactors: counter({
    name: 'latchkey_second_factors_total',
    help: 'Proofs of a second factor at sign-ins, by kind and outcome. `enrolment`: a code of a factor that was set up for the sign-in. `trusted_device`: none was asked for on a trusted device. `limited`: the account had too many wrong codes, or must wait.',
    labels: { factor: SECOND_FACTOR_KINDS, outcome: OUTCOMES },
  }),
  refreshes: counter({
    name: 'latchkey_refreshes_total',
    help: 'Refresh tokens presented. `coalesced` overlapped with another refresh and got the same successor; `reuse` revoked the session.',
    labels: { outcome: REFRESH_OUTCOMES },
  }),
  stepUps: counter({
    name: 'latchkey_step_ups_total',
    help: 'Proofs of identity by signed-in users. `failure`: the proof was wrong, or the session has ended; `limited`: another one of the session was being checked; `conflict`: the account changed meanwhile.',
    labels: { method: STEP_UP_METHODS, outcome: OUTCOMES },
  }),
  registrations: counter({
    name: 'latchkey_registrations_total',
    help: 'Registrations. `conflict`: the email is taken; `denied`: registration is disabled.',
    labels: { outcome: OUTCOMES },
  }),
  passwordResets: counter({
    name: 'latchkey_password_resets_total',
    help: 'Steps of password resets. A request succeeds whether or not the email is known. `invalid` at confirmation: the link is used or expired, or the password violates the policy.',
    labels: { step: PASSWORD_RESET_STEPS, outcome: OUTCOMES },
  }),
  emailVerifications: counter({
    name: 'latchkey_email_verifications_total',
    help: 'Uses of the links in registration mail: `verify` proves the mailbox, `reject` deletes the registration. `resend` succeeds whether or not the email is known. `invalid`: the link is used or expired, or the password violates the policy.',
    labels: { step: EMAIL_VERIFICATION_STEPS, outcome: OUTCOMES },
  }),
  emailChanges: counter({
    name: 'latchkey_email_changes_total',
    help: 'Steps of changes of an email address: `request` by the user, `confirm` by the link to the new address, `undo` by the link to the old one. `invalid`: the link is used, expired or ended; `conflict`: the address is taken.',
    labels: { step: EMAIL_CHANGE_STEPS, outcome: OUTCOMES },
  }),
  serviceTokens: counter({
    name: 'latchkey_service_tokens_total',
    help: 'Service tokens requested. `failure`: unknown client or wrong secret; `denied`: an audience or scope the client may not have.',
    labels: { outcome: OUTCOMES },
  }),
  hashingDuration: histogram({
    name: 'latchkey_password_hashing_duration_seconds',
    help: 'Time a thread worked on a password, without the wait for the thread.',
    labels: { operation: HASHING_OPERATIONS },
    buckets: HASHING_BUCKETS,
  }),
  hashingRefused: counter({
    name: 'latchkey_password_hashing_refused_total',
    help: 'Passwords rejected with 503 because the queue was full or the wait too long.',
    labels: {},
  }),
  breachLookups: counter({
    name: 'latchkey_breached_password_lookups_total',
    help: 'New passwords that were looked up in `PASSWORD_BREACH_LIST`. `listed`: rejected; `failed`: the list could not be read, and the password was accepted by the other rules.',
    labels: { outcome: BREACH_LOOKUP_OUTCOMES },
  }),
  limits: counter({
    name: 'latchkey_rate_limit_decisions_total',
    help: 'Decisions of the rate limits: sign-ins per `address` and per `account`, anonymous requests of an address that write an audit row (`anonymous`), confirmations per `session`. `store_away_open` and `store_away_closed` were made without Redis, depending on `RATE_LIMIT_FAIL_MODE`.',
    labels: { limit: LIMITS, decision: LIMIT_DECISIONS },
  }),
  entitlements: histogram({
    name: 'latchkey_entitlements_lookup_duration_seconds',
    help: 'Time the core service, or a function of the host app, took to return the entitlements of a company. Cached responses are excluded. `denied`: the company is unknown there.',
    labels: { outcome: OUTCOMES },
    buckets: LOOKUP_BUCKETS,
  }),
  webhookAttempts: counter({
    name: 'latchkey_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by the class of the response or the kind of failure. `refused`: the address is not allowed or accepts no connection.',
    labels: { outcome: WEBHOOK_OUTCOMES },
  }),
  storeErrors: counter({
    name: 'latchkey_ephemeral_store_errors_total',
    help: 'Operations of the ephemeral store that failed or were rejected because the circuit is open.',
    labels: {},
  }),
} as const;

/** Metrics that are read at each scrape. */
export const scrapedDefinitions = {
  buildInfo: gauge({
    name: 'latchkey_build_info',
    help: 'Always 1; the label is the version.',
    labels: { version: 'the version of the packages' },
  }),
  up: gauge({
    name: 'latchkey_dependency_up',
    help: '1 if a configured dependency responded within a second, and the database accepts writes; else 0. Checked every five seconds at most.',
    labels: { dependency: '`database`, `redis` or `finance`; absent if not configured' },
  }),
  hashingQueued: gauge({
    name: 'latchkey_password_hashing_queued',
    help: 'Passwords that wait for a thread.',
    labels: {},
  }),
  hashingActive: gauge({
    name: 'latchkey_password_hashing_active_threads',
    help: 'Threads working on a password.',
    labels: {},
  }),
  hashingThreads: gauge({
    name: 'latchkey_password_hashing_threads',
    help: 'Threads for password hashing at most; they start when passwords wait.',
    labels: {},
  }),
  shadowComparisons: counter({
    name: 'latchkey_access_shadow_comparisons_total',
    help: 'Access results of companies under SHADOW, by whether ENFORCED would have returned the same.',
    labels: { result: ['same', 'different'] },
  }),
  outbox: gauge({
    name: 'latchkey_mail_outbox_mails',
    help: 'Unsent mails. `waiting`: not tried yet; `retrying`: failed and retried; `failed`: given up. The same number in every replica. Absent while the database is unavailable.',
    labels: { state: BACKLOG_STATES },
  }),
  outboxAge: gauge({
    name: 'latchkey_mail_outbox_oldest_pending_age_seconds',
    help: 'Age of the oldest mail that waits or is retried; 0 if there is none. Absent while the database is unavailable.',
    labels: {},
  }),
  webhookDeliveries: gauge({
    name: 'latchkey_webhook_deliveries',
    help: 'Deliveries of webhooks that have not succeeded. `waiting`: not tried yet; `retrying`: failed and retried; `failed`: given up. The same number in every replica. Absent while webhooks are off or the database is unavailable.',
    labels: { state: BACKLOG_STATES },
  }),
  webhookAge: gauge({
    name: 'latchkey_webhook_oldest_pending_age_seconds',
    help: 'Age of the oldest delivery to an active endpoint that waits or is retried; 0 if there is none. Absent as above.',
    labels: {},
  }),
  webhookEndpoints: gauge({
    name: 'latchkey_webhook_endpoints',
    help: 'Endpoints of webhooks. `disabled`: by the service, because of failures; `failing`: active, without a success for an hour. Absent as above.',
    labels: { state: ['active', 'disabled', 'failing'] },
  }),
  accountDeletions: gauge({
    name: 'latchkey_account_deletions',
    help: 'Accounts that their users have deleted and that are not erased yet. `overdue`: for more than a day. The same number in every replica. Absent while `ACCOUNT_DELETION` is off or the database is unavailable.',
    labels: { state: ['pending', 'overdue'] },
  }),
  poolConnections: gauge({
    name: 'latchkey_database_pool_connections',
    help: 'Connections of this process to PostgreSQL.',
    labels: { pool: '`main`, and `finance` if that database is configured', state: ['in_use', 'idle'] },
  }),
  poolWaiting: gauge({
    name: 'latchkey_database_pool_waiting',
    help: 'Statements and transactions waiting for a connection.',
    labels: { pool: '`main` or `finance`' },
  }),
  poolMax: gauge({
    name: 'latchkey_database_pool_max_connections',
    help: 'Connections this process may open: `DATABASE_POOL_MAX`.',
    labels: { pool: '`main` or `finance`' },
  }),
  storeInfo: gauge({
    name: 'latchkey_ephemeral_store_info',
    help: 'Always 1; the label is the kind of the ephemeral store.',
    labels: { kind: '`redis` or `memory`' },
  }),
  storeCircuit: gauge({
    name: 'latchkey_ephemeral_store_circuit_open',
    help: '1 if operations of the ephemeral store are rejected at once because it stopped responding; else 0.',
    labels: {},
  }),
  feedListeners: gauge({
    name: 'latchkey_revocation_feed_listeners',
    help: 'Streams and waiting polls of the revocation feed in this process.',
    labels: {},
  }),
  feedLag: gauge({
    name: 'latchkey_revocation_feed_lag_seconds',
    help: 'Time since the revocation feed was last read from the database; 0 without listeners. Above 2 there are no heartbeats.',
    labels: {},
  }),
  feedEntries: counter({
    name: 'latchkey_revocation_feed_entries_total',
    help: 'Revocations that were passed to listeners, each counted once.',
    labels: {},
  }),
  feedPolls: counter({
    name: 'latchkey_revocation_feed_polls_total',
    help: 'Reads of the database for all listeners of the revocation feed together: five a second while there are any.',
    labels: { outcome: ['success', 'failure'] },
  }),
} as const;
