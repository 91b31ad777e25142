import { z } from 'zod';
import { endpoint, publicQuery } from '../endpoint.js';
import type { Transaction } from '../platform-data.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

const text = z.string().max(200);
const date = z.iso.date('must be a date such as 2026-01-31');
const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
  .transform(Number);
const ids = z
  .string()
  .max(5000)
  .transform((list) => list.split(',').map((id) => id.trim()))
  .refine((list) => list.every((id) => id !== ''), 'must be ids with a comma between them');

const query = publicQuery
  .extend({
    name: text.optional(),
    eventIds: ids.optional(),
    eventName: text.optional(),
    type: text.optional(),
    status: text.optional(),
    startDate: date.optional(),
    endDate: date.optional(),
    page: count.default(1),
    limit: count.transform((limit) => Math.min(limit, MAX_LIMIT)).default(DEFAULT_LIMIT),
  })
  .refine(({ startDate = '', endDate = '9' }) => startDate <= endDate, {
    path: ['endDate'],
    error: 'must not lie before startDate',
  });
type Query = z.output<typeof query>;

export const vendorTransactions = endpoint({
  method: 'get',
  path: '/vendors-system/vendors/{id}/transactions',
  lists: [],
  query,
  handle: ({ data, id, query: { page, limit, ...filter } }) => {
    const found = data.transactions.get(id)?.filter((transaction) => fits(transaction, filter));
    const start = (page - 1) * limit;
    return found && { transactions: found.slice(start, start + limit), total: found.length, page, limit };
  },
});

function fits(transaction: Transaction, filter: Omit<Query, 'page' | 'limit'>): boolean {
  const { name, eventName, type, status, eventIds, startDate, endDate } = filter;
  return (
    (eventIds?.includes(transaction.eventId) ?? true) &&
    [
      [transaction.name, name],
      [transaction.eventName, eventName],
    ].every(([have = '', wanted = '']) => have.toLowerCase().includes(wanted.toLowerCase())) &&
    transaction.type === (type ?? transaction.type) &&
    transaction.status === (status ?? transaction.status) &&
    transaction.date >= (startDate ?? '') &&
    transaction.date <= (endDate ?? '9')
  );
}
