import { AuthError } from '../kernel/auth-error.js';
import { withDeadline } from '../kernel/deadline.js';
import { ERROR_CODES } from '../kernel/error-code.js';
import type { Logger } from '../kernel/logger.js';
import { didYouMean } from '../kernel/near-names.js';
import { isTransactionRetryable } from '../storage/database-error.js';
import type { Database, Transaction } from '../storage/database.js';
import { removeRowContents } from '../storage/row-contents.js';
import type { AuditEventName } from './audit-event.js';
import { withoutTime, type NewAuditRow } from './audit-row.js';
import type { AuthEvent } from './auth-event.js';
import { statementFault } from './own-statement.js';

/** The transaction of an event, for the app's own rows. */
export interface OwnTransaction {
  /**
   * Runs one statement on the connection of the transaction and returns its rows: SELECT, INSERT, UPDATE, DELETE, MERGE, VALUES or
   * WITH. The transaction is not yours to end. One that fails fails the function, also if its error is caught.
   * @throws TypeError for any other statement and once the function has ended, and the error of pg.
   */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/** A function that writes rows of the app with an event of the service, or rejects both by throwing an `AuthError`. */
export type OwnRowsFunction = (event: Readonly<AuthEvent>, trx: OwnTransaction) => unknown;

/** The audit events with which each function runs. An acceptance writes a membership, so two functions run with it, in this order. */
const EVENTS = {
  registration: ['registration'],
  approval: ['user_approved'],
  invitationAccepted: ['invitation_accepted'],
  membershipChanged: [
    'membership_created',
    'membership_updated',
    'membership_left',
    'business_unit_membership_changed',
    'finance_changed',
    'invitation_accepted',
  ],
  userErased: ['personal_data_erased', 'registration_cancelled'],
} as const satisfies Record<string, readonly AuditEventName[]>;

type OwnRowsName = keyof typeof EVENTS;
const NAMES = Object.keys(EVENTS) as OwnRowsName[];
/** Few rows have a function: a look-up is all that the others cost. */
const NAMES_OF = new Map<AuditEventName, OwnRowsName[]>();
for (const name of NAMES) {
  for (const event of EVENTS[name]) NAMES_OF.set(event, [...(NAMES_OF.get(event) ?? []), name]);
}

/** Functions of the app that run in the transaction which causes an event. */
export type OwnRows = Readonly<Partial<Record<OwnRowsName, OwnRowsFunction | undefined>>>;

/** Milliseconds that a function may take: it holds locks, and a response leaves within 5 seconds. */
const DEADLINE = 3_000;

/** One call of a function. */
interface OwnCall {
  readonly name: string;
  isOpen: boolean;
  /** Its statements, in the order of their begins. */
  readonly statements: Promise<unknown>[];
}

/** Runs the functions of the app with the rows of the audit log, so that no way to an event omits one. */
export class OwnRowsRunner {
  readonly #deps;

  constructor(deps: { readonly database: Database; readonly functions: OwnRows; readonly logger: Logger }) {
    this.#deps = deps;
  }

  /**
   * Runs the functions of a row that was just added, one after the other.
   * @throws TypeError for a row of such an event that is not part of a transaction; AuthError that of the function, `internal_error`
   * for any other error of it, `service_unavailable` if it takes too long.
   */
  async run(row: NewAuditRow, trx: Transaction | undefined): Promise<void> {
    const names = row.outcome === 'success' ? NAMES_OF.get(row.event) : undefined;
    if (!names) return;
    if (!trx) throw new TypeError(`The event ${row.event} must be part of the transaction that causes it.`);
    for (const name of names) {
      const own = this.#deps.functions[name];
      if (own) await this.#call(`within.${name}`, own, eventOf(row), trx);
    }
  }

  async #call(name: string, own: OwnRowsFunction, event: AuthEvent, trx: Transaction): Promise<void> {
    const call: OwnCall = { name, isOpen: true, statements: [] };
    const run = async (): Promise<void> => {
      await own(event, this.#transaction(call, trx));
      call.isOpen = false;
      // Also those that the function did not wait for, or whose error it caught: the transaction has failed with them.
      for (const statement of call.statements) await statement;
    };
    try {
      await withDeadline(run(), DEADLINE, `${name} took longer than ${DEADLINE / 1000} seconds.`);
    } catch (error) {
      throw this.#refusal(name, error);
    } finally {
      call.isOpen = false;
    }
  }

  #transaction(call: OwnCall, trx: Transaction): OwnTransaction {
    return {
      query: <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
        const statement = this.#query<Row>(call, { trx, text, values });
        if (!call.isOpen) return statement;
        call.statements.push(statement);
        // It is awaited after the function at the latest; until then its failure must not end the process.
        statement.catch(() => undefined);
        return statement;
      },
    };
  }

  async #query<Row extends object>(
    { name, isOpen }: OwnCall,
    { trx, text, values }: { trx: Transaction; text: string; values: readonly unknown[] },
  ): Promise<Row[]> {
    if (!isOpen) throw new TypeError(`${name}: trx.query was called after the function had ended.`);
    const fault =
      statementFault(text) ??
      (Array.isArray(values) ? undefined : 'the values of trx.query must be an array.');
    if (fault !== undefined) throw new TypeError(`${name}: ${fault}`);
    return this.#deps.database.queryWithin<Row>(trx, text, values);
  }

  /** Returns the error of the causing request: whatever it is, the transaction is rolled back. */
  #refusal(name: string, thrown: unknown): unknown {
    removeRowContents(thrown);
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

/** Returns an event of this function alone: listeners do not see what it changes. */
const eventOf = (row: NewAuditRow): AuthEvent =>
  Object.freeze(JSON.parse(JSON.stringify(withoutTime(row))) as AuthEvent);

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
