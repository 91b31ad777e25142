import { AuthError } from '../kernel/auth-error.js';
import { withDeadline } from '../kernel/deadline.js';
import { ERROR_CODES } from '../kernel/error-code.js';
import type { Logger } from '../kernel/logger.js';
import { didYouMean } from '../kernel/near-names.js';
import { isTransactionRetryable } from '../storage/database-error.js';
import type { Database, Transaction } from '../storage/database.js';
import type { AuditEventName } from './audit-event.js';
import { withoutTime, type NewAuditRow } from './audit-row.js';
import type { AuthEvent } from './auth-event.js';

/**
 * The transaction of an event, for the app's own rows.
 * @example
 * ```ts
 * const seats: OwnRowsFunction = async ({ subjectUserId }, trx: OwnTransaction) => {
 *   await trx.query('INSERT INTO app.seats (user_id) VALUES ($1)', [subjectUserId]);
 * };
 * typeof seats; // → 'function'
 * ```
 */
export interface OwnTransaction {
  /**
   * Runs one statement on the connection of the transaction and returns its rows: SELECT, INSERT, UPDATE, DELETE, MERGE, VALUES or
   * WITH. The transaction is not yours to end.
   * @throws TypeError for any other statement and once the function has ended, and the error of pg.
   */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/**
 * A function that writes rows of the app with an event of the service, or rejects both by throwing an `AuthError`.
 * @example
 * ```ts
 * const refuse: OwnRowsFunction = ({ companyId }) => {
 *   if (companyId === null) return;
 *   throw AuthError.conflict('All seats are taken.', 'app.no_seats');
 * };
 * typeof refuse; // → 'function'
 * ```
 */
export type OwnRowsFunction = (event: Readonly<AuthEvent>, trx: OwnTransaction) => unknown;

/** The audit events with which each function runs. */
const EVENTS = {
  registration: ['registration'],
  approval: ['user_approved'],
  invitationAccepted: ['invitation_accepted'],
  membershipChanged: ['membership_created', 'membership_updated', 'business_unit_membership_changed'],
  userErased: ['personal_data_erased', 'registration_cancelled'],
} as const satisfies Record<string, readonly AuditEventName[]>;

type OwnRowsName = keyof typeof EVENTS;
const NAMES = Object.keys(EVENTS) as OwnRowsName[];
const NAME_OF = new Map<AuditEventName, OwnRowsName>(
  NAMES.flatMap((name) => EVENTS[name].map((event) => [event, name] as const)),
);

/**
 * Functions of the app that run in the transaction which causes an event.
 * @example
 * ```ts
 * const within: OwnRows = {
 *   registration: ({ subjectUserId }, trx) =>
 *     trx.query('INSERT INTO app.profiles (user_id) VALUES ($1)', [subjectUserId]),
 * };
 * Object.keys(within); // → ['registration']
 * ```
 */
export type OwnRows = Readonly<Partial<Record<OwnRowsName, OwnRowsFunction | undefined>>>;

/** Milliseconds that a function may take: it holds locks, and a response leaves within 5 seconds. */
const DEADLINE = 3_000;

/** What an app may do in a transaction that is not its own, and on a connection that others use after it. */
const ALLOWED = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*(?:select|insert|update|delete|merge|values|with)\b/i;

interface OwnRowsRunnerDeps {
  readonly database: Database;
  readonly functions: OwnRows;
  readonly logger: Logger;
}

/** Runs the functions of the app with the rows of the audit log, so that no way to an event omits one. */
export class OwnRowsRunner {
  readonly #deps: OwnRowsRunnerDeps;

  constructor(deps: OwnRowsRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Runs the function of a row that was just added.
   * @throws TypeError for a row of such an event that is not part of a transaction; AuthError that of the function, `internal_error`
   * for any other error of it, `service_unavailable` if it takes too long.
   */
  async run(row: NewAuditRow, trx: Transaction | undefined): Promise<void> {
    const name = row.outcome === 'success' ? NAME_OF.get(row.event) : undefined;
    if (!name) return;
    if (!trx) throw new TypeError(`The event ${row.event} must be part of the transaction that causes it.`);
    const own = this.#deps.functions[name];
    if (own) await this.#call(`within.${name}`, own, Object.freeze(withoutTime(row)), trx);
  }

  async #call(name: string, own: OwnRowsFunction, event: AuthEvent, trx: Transaction): Promise<void> {
    const scope = { isOpen: true };
    try {
      // Within a promise, so that an error that it throws at once is one of its own, too.
      const answer = Promise.resolve().then(() => own(event, this.#transaction(name, trx, scope)));
      await withDeadline(answer, DEADLINE, `${name} took longer than ${DEADLINE / 1000} seconds.`);
    } catch (error) {
      throw this.#refusal(name, error);
    } finally {
      scope.isOpen = false;
    }
  }

  #transaction(name: string, trx: Transaction, scope: { isOpen: boolean }): OwnTransaction {
    return {
      query: async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
        if (!scope.isOpen) throw new TypeError(`${name}: trx.query was called after the function had ended.`);
        if (typeof text !== 'string' || !ALLOWED.test(text)) {
          throw new TypeError(
            `${name}: trx.query runs one SELECT, INSERT, UPDATE, DELETE, MERGE, VALUES or WITH; Latchkey ends the transaction.`,
          );
        }
        return this.#deps.database.queryWithin<Row>(trx, text, values);
      },
    };
  }

  /** Returns the error of the causing request: whatever it is, the transaction is rolled back. */
  #refusal(name: string, thrown: unknown): unknown {
    // The whole transaction runs again, with this function.
    if (isTransactionRetryable(thrown)) return thrown;
    if (AuthError.is(thrown) && thrown.code !== 'service_unavailable' && ERROR_CODES.includes(thrown.code))
      return thrown;
    this.#deps.logger.error(
      { err: thrown, function: name },
      `The function ${name} of the app failed; nothing was written.`,
    );
    if (AuthError.is(thrown)) return thrown;
    return new AuthError('internal_error', 'Something went wrong on our side.', { cause: thrown });
  }
}

const LINE = 'Write: createAuth(settings, { within: { registration: async (event, trx) => { … } } })';

/** @throws TypeError that shows the right line, for anything but functions with these names. */
export function assertOwnRows(within: unknown): void {
  if (within === undefined) return;
  if (typeof within !== 'object' || within === null) {
    throw new TypeError(`createAuth: within must be an object of functions. ${LINE}`);
  }
  for (const [name, value] of Object.entries(within)) {
    if (!Object.hasOwn(EVENTS, name)) {
      throw new TypeError(
        `createAuth: within.${name} is unknown.${didYouMean(name, NAMES)} Functions are ${NAMES.join(', ')}. ${LINE}`,
      );
    }
    if (value !== undefined && typeof value !== 'function') {
      throw new TypeError(
        `createAuth: within.${name} must be a function. ${LINE.replace('registration', name)}`,
      );
    }
  }
}
