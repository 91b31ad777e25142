import {
  HASHING_OPERATIONS,
  LIMIT_DECISIONS,
  LIMITS,
  PASSWORD_RESET_STEPS,
  REFRESH_OUTCOMES,
  SIGN_IN_METHODS,
} from '../kernel/observer.js';
import { OUTCOMES } from '../kernel/outcome.js';
import { BACKLOG_STATES } from '../mail/outbox-repository.js';
import { counter, gauge, histogram } from './metric-definition.js';

/** From an answer out of memory to the deadline of every answer, 4.7 s. */
const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Argon2id with the parameters of the default takes some 30 ms of an idle core. */
const HASHING_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Up to the longest `CORE_TIMEOUT` that leaves time for an answer. */
const LOOKUP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What the service tells of its own work. */
export const serviceDefinitions = {
  httpDuration: histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Time to answer a request, by the pattern of its route. Requests that no route or page answers are not in it.',
    labels: {
      route: 'the pattern, such as `/internal/users/{id}`, without the prefix of a host app',
      method: 'in capitals',
      status: 'the HTTP status',
    },
    buckets: HTTP_BUCKETS,
  }),
  unforeseenFailures: counter({
    name: 'latchkey_unforeseen_failures_total',
    help: 'Requests that ended in `internal_error`, a defect. Every route is at 0 from the start, so that the first failure is an increase.',
    labels: { route: 'the pattern, as above' },
  }),
  httpInFlight: gauge({
    name: 'latchkey_http_requests_in_flight',
    help: 'Requests that are being answered.',
    labels: {},
  }),
  signIns: counter({
    name: 'latchkey_sign_ins_total',
    help: 'Sign-ins that were decided. `limited` is the limit of the account; who is held back by the limit of the address never gets this far. `invitation` counts people who are new and are signed in as they accept.',
    labels: { method: SIGN_IN_METHODS, outcome: OUTCOMES },
  }),
  refreshes: counter({
    name: 'latchkey_refreshes_total',
    help: 'Refresh tokens that were presented. `coalesced` overlapped with another refresh and got the same successor; `reuse` ended the session.',
    labels: { outcome: REFRESH_OUTCOMES },
  }),
  registrations: counter({
    name: 'latchkey_registrations_total',
    help: 'Registrations. `conflict` is an email that is taken, `denied` is registration that is switched off.',
    labels: { outcome: OUTCOMES },
  }),
  passwordResets: counter({
    name: 'latchkey_password_resets_total',
    help: 'Steps of password resets. A request succeeds whether or not the email is known; `invalid` at confirmation is a link that is used or expired, or a password against the policy.',
    labels: { step: PASSWORD_RESET_STEPS, outcome: OUTCOMES },
  }),
  serviceTokens: counter({
    name: 'latchkey_service_tokens_total',
    help: "Service tokens asked for. `failure` is an unknown client or a wrong secret, `denied` an audience or scope that is not the client's.",
    labels: { outcome: OUTCOMES },
  }),
  hashingDuration: histogram({
    name: 'latchkey_password_hashing_duration_seconds',
    help: 'Time a thread worked on a password, the wait for the thread not counted.',
    labels: { operation: HASHING_OPERATIONS },
    buckets: HASHING_BUCKETS,
  }),
  hashingRefused: counter({
    name: 'latchkey_password_hashing_refused_total',
    help: 'Passwords that were refused with 503 because too many were waiting, or one waited too long.',
    labels: {},
  }),
  limits: counter({
    name: 'latchkey_rate_limit_decisions_total',
    help: 'Decisions of the limits: on sign-ins of an `address` and at an `account`, on requests of an address that write a row for nobody the service knows (`anonymous`), on confirmations of a `session`. `store_away_open` and `store_away_closed` were made without Redis, as `RATE_LIMIT_FAIL_MODE` says.',
    labels: { limit: LIMITS, decision: LIMIT_DECISIONS },
  }),
  entitlements: histogram({
    name: 'latchkey_entitlements_lookup_duration_seconds',
    help: 'Time the core service, or a function of the host app, took to tell what a company is entitled to. Answers out of memory are not in it. `denied` is a company that is not known there.',
    labels: { outcome: OUTCOMES },
    buckets: LOOKUP_BUCKETS,
  }),
  storeErrors: counter({
    name: 'latchkey_ephemeral_store_errors_total',
    help: 'Operations of the ephemeral store that failed or were refused because the circuit is open.',
    labels: {},
  }),
} as const;

/** What is read at each scrape. */
export const scrapedDefinitions = {
  buildInfo: gauge({
    name: 'latchkey_build_info',
    help: 'Always 1; the label tells the version.',
    labels: { version: 'the version of the packages' },
  }),
  up: gauge({
    name: 'latchkey_dependency_up',
    help: 'Whether a dependency that is configured answered within a second, and the database takes writes: 1 or 0. Looked at every five seconds at most.',
    labels: { dependency: '`database`, `redis` or `finance`; no row for one that is not configured' },
  }),
  hashingQueued: gauge({
    name: 'latchkey_password_hashing_queued',
    help: 'Passwords that wait for a thread.',
    labels: {},
  }),
  hashingActive: gauge({
    name: 'latchkey_password_hashing_active_threads',
    help: 'Threads that are working on a password.',
    labels: {},
  }),
  hashingThreads: gauge({
    name: 'latchkey_password_hashing_threads',
    help: 'Threads there are for passwords.',
    labels: {},
  }),
  shadowComparisons: counter({
    name: 'latchkey_access_shadow_comparisons_total',
    help: 'Answers about access in companies under SHADOW, by whether ENFORCED would have answered the same.',
    labels: { result: ['same', 'different'] },
  }),
  outbox: gauge({
    name: 'latchkey_mail_outbox_mails',
    help: 'Mails that have not left. `waiting`: not tried yet; `retrying`: failed and tried again; `failed`: given up. The same number in every replica. Missing while the database is away.',
    labels: { state: BACKLOG_STATES },
  }),
  outboxAge: gauge({
    name: 'latchkey_mail_outbox_oldest_pending_age_seconds',
    help: 'Age of the oldest mail that waits or is retried; 0 when there is none. Missing while the database is away.',
    labels: {},
  }),
  poolConnections: gauge({
    name: 'latchkey_database_pool_connections',
    help: 'Connections of this process to PostgreSQL.',
    labels: { pool: '`main`, and `finance` where that database is configured', state: ['in_use', 'idle'] },
  }),
  poolWaiting: gauge({
    name: 'latchkey_database_pool_waiting',
    help: 'Statements and transactions that wait for a connection.',
    labels: { pool: '`main` or `finance`' },
  }),
  poolMax: gauge({
    name: 'latchkey_database_pool_max_connections',
    help: 'Connections this process may open: `DATABASE_POOL_MAX`.',
    labels: { pool: '`main` or `finance`' },
  }),
  storeInfo: gauge({
    name: 'latchkey_ephemeral_store_info',
    help: 'Always 1; the label tells the kind of the ephemeral store.',
    labels: { kind: '`redis` or `memory`' },
  }),
  storeCircuit: gauge({
    name: 'latchkey_ephemeral_store_circuit_open',
    help: 'Whether operations of the ephemeral store are refused at once, because it has stopped answering: 1 or 0.',
    labels: {},
  }),
} as const;
