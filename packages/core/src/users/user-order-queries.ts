import type { Knex } from 'knex';
import { lookahead, type PageRequest } from '../kernel/page.js';
import {
  CURSOR_NUMBER,
  cursorOf,
  decodeCursor,
  encodeCursor,
  invalidCursor,
  positionOf,
  readPosition,
} from '../kernel/row-position.js';
import type { USER_SORTS } from './user.js';

type UserSort = (typeof USER_SORTS)[number];

/** The place of a row in an order of the list of users. */
export interface PlacedUser {
  id: string;
  /** The value by which the list is ordered. */
  sort_key: string;
}

/** An order by a value and the id. */
interface Order {
  /** The value, as text. */
  key: string;
  orderBy: string;
  /** True for rows after a place; its parameters are the value and the id. */
  isAfter: string;
}

/** The expression of an index: the first characters suffice for an order, and keep cursors short. */
const NAME = `lower(left(coalesce(users.full_name, ''), 50))`;
const MICROSECONDS = '(extract(epoch FROM users.created_at) * 1000000)::bigint::text';
const INSTANT_AND_ID = `(timestamptz 'epoch' + ?::bigint * interval '1 microsecond', ?::uuid)`;

// Addresses are compared by the operators of their index. They are unique, so the id decides nothing.
const ORDERS: Readonly<Record<UserSort, Order>> = {
  '-createdAt': {
    key: MICROSECONDS,
    orderBy: 'users.created_at DESC, users.id DESC',
    isAfter: `(users.created_at, users.id) < ${INSTANT_AND_ID}`,
  },
  createdAt: {
    key: MICROSECONDS,
    orderBy: 'users.created_at, users.id',
    isAfter: `(users.created_at, users.id) > ${INSTANT_AND_ID}`,
  },
  email: {
    key: 'users.email',
    orderBy: 'users.email USING ~<~',
    isAfter: 'users.email ~>~ ? AND ?::uuid IS NOT NULL',
  },
  '-email': {
    key: 'users.email',
    orderBy: 'users.email USING ~>~',
    isAfter: 'users.email ~<~ ? AND ?::uuid IS NOT NULL',
  },
  fullName: { key: NAME, orderBy: `${NAME}, users.id`, isAfter: `(${NAME}, users.id) > (?, ?::uuid)` },
  '-fullName': {
    key: NAME,
    orderBy: `${NAME} DESC, users.id DESC`,
    isAfter: `(${NAME}, users.id) < (?, ?::uuid)`,
  },
};

/**
 * Cuts a page out of a query of users in an order, and selects the place of each row for the next one. By cursor it reads only the
 * rows of the page; an offset also reads what it skips.
 * @throws AuthError `validation_error` for a cursor that is not ours, or of another order.
 */
export function orderedPage<Query extends Knex.QueryBuilder>(
  knex: Knex,
  query: Query,
  page: PageRequest,
  sort: UserSort,
): Query {
  const { key, orderBy, isAfter } = ORDERS[sort];
  void query
    .select(knex.raw(`${key} AS sort_key`))
    .orderByRaw(orderBy)
    .limit(lookahead(page))
    .offset(page.offset);
  if (page.cursor !== undefined) void query.whereRaw(isAfter, placeOf(page.cursor, sort));
  return query;
}

/** Returns the cursor of a row in an order. That of the usual order is as in other lists. */
export const cursorIn = (sort: UserSort, { id, sort_key: key }: PlacedUser): string =>
  sort === '-createdAt' ? cursorOf({ microseconds: key, id }) : encodeCursor(`${sort}.${id}.${key}`);

/** The order, the id and the value, which may contain anything. */
const PLACE = /^([^.]+)\.([^.]+)\.([^\0]*)$/;
const IS_NUMBER = new RegExp(`^${CURSOR_NUMBER}$`);

/** Returns value and id of the row at which a page ended. */
function placeOf(cursor: string, sort: UserSort): [value: string, id: string] {
  if (sort === '-createdAt') {
    const { microseconds, id } = positionOf(cursor);
    return [microseconds, id];
  }
  const [, order, id = '', value = ''] = PLACE.exec(decodeCursor(cursor)) ?? [];
  if (order !== sort || (sort === 'createdAt' && !IS_NUMBER.test(value))) throw invalidCursor();
  return [value, readPosition(`0.${id}`).id];
}
