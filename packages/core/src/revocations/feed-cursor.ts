import { AuthError } from '../kernel/auth-error.js';
import { bytesOfBase64url } from '../kernel/base64url.js';

/** The position of a reader of the feed: it has seen every transaction that a snapshot of this database shows as committed. */
export interface FeedPosition {
  /** Identifies the database and its timeline: after a restore, transaction ids mean something else. */
  origin: string;
  /** A `pg_snapshot`: `xmin:xmax:xip,…`. */
  snapshot: string;
  /** By the clock of the database, whole seconds since the epoch. */
  readAt: number;
}

const VERSION = '1';
/** Longer cursors would not fit into a header. They are cut back to what every transaction has passed. */
const MAX_TRANSACTIONS = 150;
const SNAPSHOT = /^(\d{1,20}):(\d{1,20}):([\d,]*)$/;
const CURSOR = /^1\.([0-9a-f]{16})\.(\d{1,12})\.(\d{1,19})\.(\d{1,19})\.((?:\d{1,19}-)*)$/;

/** Returns the cursor of a position: opaque text that is safe in a URL and in a header. */
export function cursorOf({ origin, snapshot, readAt }: FeedPosition): string {
  const { xmin, xmax, running } = partsOf(snapshot);
  const isLong = running.length > MAX_TRANSACTIONS;
  let last = xmin;
  // Differences are short, however many transactions the database has had.
  const differences = (isLong ? [] : running).map((id) => {
    const difference = id - last;
    last = id;
    return `${difference}-`;
  });
  const parts = [VERSION, origin, readAt, xmin, isLong ? 0n : xmax - xmin, differences.join('')];
  return Buffer.from(parts.join('.')).toString('base64url');
}

/** Returns the position of a cursor. @throws AuthError `gone` for text that is not exactly a cursor of this version. */
export function positionOf(cursor: string): FeedPosition {
  const [, origin, readAt, xmin, span, differences] =
    CURSOR.exec(bytesOfBase64url(cursor)?.toString() ?? '') ?? [];
  if (origin === undefined) throw cursorGone();
  const first = BigInt(xmin ?? 0);
  const xmax = first + BigInt(span ?? 0);
  let last = first;
  const running = (differences ?? '')
    .split('-')
    .filter(Boolean)
    .map((difference) => (last += BigInt(difference)));
  const isInside = running.length === 0 || last < xmax;
  if (first === 0n || xmax > LAST_TRANSACTION || !isInside) throw cursorGone();
  const position = { origin, snapshot: `${first}:${xmax}:${running.join(',')}`, readAt: Number(readAt) };
  // Numbers may have leading zeros.
  if (cursorOf(position) !== cursor) throw cursorGone();
  return position;
}

/** Returns whether the position is later than the other one: it was read from a database that is now lost. */
export const isAhead = (position: FeedPosition, now: FeedPosition): boolean =>
  partsOf(position.snapshot).xmax > partsOf(now.snapshot).xmax;

/** The error of a cursor from which the feed cannot continue. */
export const cursorGone = (): AuthError =>
  new AuthError('gone', 'The cursor is unknown or too old. Request a snapshot: send no cursor.');

/** Transaction ids have 64 bits; the last bit is left out for safety. */
const LAST_TRANSACTION = 2n ** 63n;

function partsOf(snapshot: string): { xmin: bigint; xmax: bigint; running: bigint[] } {
  const [, xmin, xmax, running] = SNAPSHOT.exec(snapshot) ?? [];
  if (xmin === undefined || xmax === undefined) throw new TypeError(`"${snapshot}" is not a pg_snapshot.`);
  const ids = (running ?? '').split(',').filter(Boolean);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), running: ids.map(BigInt) };
}
