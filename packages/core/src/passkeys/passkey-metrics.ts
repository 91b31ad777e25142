import { z } from 'zod';

export const PASSKEY_OPERATIONS = [
  'registrationOptions',
  'registrationVerify',
  'loginOptions',
  'loginVerify',
  'list',
  'rename',
  'remove',
] as const;
/** One name for each passkey route; each is counted separately. */
export type PasskeyOperation = (typeof PASSKEY_OPERATIONS)[number];

const count = z.int().min(0);

const operationCounts = z.object({
  success: count,
  failure: count,
  /** Number of responses by HTTP status. */
  statuses: z.record(z.string(), count),
});

/** Counts of responses by passkey route and status. */
export const passkeyMetricsView = z
  .object({ operations: z.record(z.enum(PASSKEY_OPERATIONS), operationCounts) })
  .meta({ id: 'PasskeyMetrics' });
/** Responses of this process to the passkey routes since it started. */
export type PasskeyMetricsView = z.output<typeof passkeyMetricsView>;

/**
 * Counts the responses of this process since it started. It records operations and statuses and nothing else.
 */
export class PasskeyMetrics {
  readonly #operations = zeroCounts();

  record(operation: PasskeyOperation, answer: { status: number; succeeded: boolean }): void {
    const counts = this.#operations[operation];
    counts[answer.succeeded ? 'success' : 'failure'] += 1;
    counts.statuses[answer.status] = (counts.statuses[answer.status] ?? 0) + 1;
  }

  read(): PasskeyMetricsView {
    return structuredClone({ operations: this.#operations });
  }
}

function zeroCounts(): PasskeyMetricsView['operations'] {
  const entries = PASSKEY_OPERATIONS.map((operation) => [
    operation,
    { success: 0, failure: 0, statuses: {} },
  ]);
  return Object.fromEntries(entries) as PasskeyMetricsView['operations'];
}
