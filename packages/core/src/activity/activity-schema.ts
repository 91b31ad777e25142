import { z } from 'zod';
import { wholeNumber } from '../kernel/query-value.js';

/** Days that one answer may have. */
const MOST_DAYS = 90;

/** Schema of the days of an overview. */
export const activityQuery = z.object({
  days: wholeNumber(1)
    .refine((days) => days <= MOST_DAYS, `must be at most ${MOST_DAYS}`)
    .meta({ maximum: MOST_DAYS })
    .prefault(14)
    .describe(`Days of the answer, the last one today: 1 to ${MOST_DAYS}.`),
});
/** The days of an overview as callers send them: 1 to 90, today included. Defaults to 14. */
export type ActivityQuery = z.input<typeof activityQuery>;

const count = z.int().min(0);
const timestamp = z.iso.datetime();

/** Schema of the numbers by day, and of the addresses with failed sign-ins. */
export const activityView = z
  .object({
    days: z
      .array(
        z.object({
          day: z.iso.date().describe('A day in UTC.'),
          signIns: count,
          failedSignIns: count.describe('Wrong passwords, codes and passkeys.'),
          registrations: count,
          signedInUsers: count.describe('Users with a sign-in on this day; each counts once.'),
        }),
      )
      .describe('Oldest first, without gaps; the last one is today.'),
    countedAt: timestamp
      .nullable()
      .describe('When the audit log was last counted completely; null before the first time.'),
    failingAddresses: z
      .array(z.object({ ipAddress: z.string(), failures: count, lastAt: timestamp }))
      .describe(
        'IP addresses with failed sign-ins in the last 24 hours, most failures first: eight at most.',
      ),
    unusualFailures: z
      .object({ failures: count, usual: count })
      .nullable()
      .describe('Set if today has at least 20 failed sign-ins and more than three times the usual number.'),
  })
  .meta({ id: 'Activity' });
/** Sign-ins, failed ones, registrations and signed-in users by day, and the addresses with failed sign-ins. */
export type ActivityView = z.output<typeof activityView>;
