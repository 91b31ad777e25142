import { ERROR_CODES, type ErrorCode } from '@latchkey/core';
import type { Security } from '../callers/caller.js';
import { CONTENT_TOO_LARGE, statusOf } from '../routing/error-status.js';
import type { Route } from '../routing/route.js';

/** Error statuses, each with its codes. */
export type Failures = ReadonlyMap<number, readonly ErrorCode[]>;

/** A query may be malformed on any route, and any work may take too long or fail. */
const ALWAYS: readonly ErrorCode[] = ['validation_error', 'service_unavailable', 'internal_error'];

const SIGNED_IN: readonly ErrorCode[] = [
  'unauthorized',
  'session_revoked',
  'forbidden',
  'pending_approval',
  'registration_rejected',
  'account_inactive',
];
/** Service tokens are 401 when they are not valid. Wrong keys are counted. */
const MACHINE: readonly ErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited'];

const OF_CALLER: Record<Security, readonly ErrorCode[]> = {
  none: [],
  bearer: SIGNED_IN,
  'api-key': ['unauthorized', 'forbidden'],
  'internal-key': MACHINE,
  'internal-key-or-bearer': [...MACHINE, ...SIGNED_IN],
};

/** Returns the error codes of a route: those that follow from its definition and those that it names. */
export function failuresOf(route: Route): Failures {
  const codes = codesOf(route);
  const failures = new Map<number, ErrorCode[]>();
  for (const code of ERROR_CODES.filter((known) => codes.has(known))) {
    failures.set(statusOf(code), [...(failures.get(statusOf(code)) ?? []), code]);
  }
  if (route.body) failures.set(CONTENT_TOO_LARGE, ['validation_error']);
  return new Map([...failures].sort(([a], [b]) => a - b));
}

function codesOf(route: Route): Set<ErrorCode> {
  const { security, failures = [] } = route.caller;
  const codes = new Set([...ALWAYS, ...OF_CALLER[security], ...failures, ...route.failures]);
  if (route.limit !== undefined || route.atMost !== undefined) codes.add('rate_limited');
  if (route.stepUp !== undefined) codes.add('reauthentication_required');
  return codes;
}
