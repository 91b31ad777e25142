import { expect } from 'vitest';
import type { ErrorCode } from '@latchkey/core';
import type { Answer } from './api-client.js';
import { documentFaults } from './document-faults.js';
import { allowedSince } from './machine-lag.js';

const ANSWER_WITHIN_MS = 5_000;

/** The statuses each code may come with. Written down again on purpose: this is the interface, not the code. */
const STATUSES: Record<ErrorCode, number[]> = {
  validation_error: [400, 413],
  unauthorized: [401],
  session_revoked: [401],
  reauthentication_required: [401],
  forbidden: [403],
  pending_approval: [403],
  registration_rejected: [403],
  account_inactive: [403],
  email_unverified: [403],
  second_factor_required: [403],
  registration_disabled: [403],
  not_found: [404],
  conflict: [409],
  gone: [410],
  rate_limited: [429],
  not_implemented: [501],
  finance_db_not_configured: [503],
  service_unavailable: [503],
  not_ready: [503],
  // Never right: a test that meets it has found a defect.
  internal_error: [],
};

const NEEDS_RETRY_AFTER = ['rate_limited', 'service_unavailable'];
const RAW_PATHS = ['/.well-known/jwks.json'];

const HEADERS: Record<string, RegExp> = {
  'content-type': /^application\/json; charset=utf-8$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^/,
  'content-security-policy': /default-src 'none'/,
  // Without includeSubDomains: the other hosts of a domain are not ours to speak for.
  'strict-transport-security': /^max-age=31536000$/,
  'referrer-policy': /^no-referrer$/,
  'x-request-id': /^[A-Za-z0-9._-]{8,128}$/,
  'cache-control': /^(no-store(, no-transform)?|public, max-age=300)$/,
};

/** Asserts what holds for every response of the API. `what` names the request. */
export function assertResponse(answer: Answer, what: string): void {
  // One assertion: an `expect` for each fact costs as much as the request.
  expect(responseFaults(answer, what), `${what} → ${answer.status} ${answer.text.slice(0, 300)}`).toEqual([]);
}

/** Expects that the response began within so many milliseconds, and what the machine let this process wait meanwhile. */
export function expectWithin(limitMs: number, { milliseconds }: Answer): void {
  expect(milliseconds).toBeLessThan(allowedSince(performance.now() - milliseconds, limitMs));
}

function responseFaults(answer: Answer, what: string): string[] {
  const [method = '', target = ''] = what.split(' ');
  const path = target.split('?')[0] ?? '';
  return [
    ...timeFaults(answer),
    ...headerFaults(answer),
    ...(answer.status < 400 ? successFaults(answer, RAW_PATHS.includes(path)) : errorFaults(answer)),
    ...documentFaults(answer, method, path),
    ...unless(!answer.text.includes('$argon2'), 'a password hash leaves the service'),
  ];
}

/** A response is due after five seconds, and what the machine let this process wait meanwhile. */
function timeFaults({ milliseconds }: Answer): string[] {
  if (milliseconds < ANSWER_WITHIN_MS) return [];
  const allowed = allowedSince(performance.now() - milliseconds, ANSWER_WITHIN_MS);
  return unless(milliseconds < allowed, `took ${milliseconds} ms; the machine allows ${allowed}`);
}

function headerFaults({ headers }: Answer): string[] {
  const wrong = Object.entries(HEADERS).filter(([name, pattern]) => {
    const value = headers[name];
    return typeof value !== 'string' || !pattern.test(value);
  });
  return [
    ...wrong.map(([name]) => `header ${name}: ${String(headers[name])}`),
    ...unless(!('x-powered-by' in headers), 'header x-powered-by'),
  ];
}

function successFaults({ status, body }: Answer, isRaw: boolean): string[] {
  const fits = isRaw
    ? hasFields(body, ['keys']) && Array.isArray(body.keys)
    : hasFields(body, ['success', 'data']) && body.success === true && body.data !== null;
  return [...unless(status === 200 || status === 201, `status ${status}`), ...unless(fits, 'the envelope')];
}

function errorFaults({ status, headers, body, code = '' }: Answer): string[] {
  const fits =
    hasFields(body, ['success', 'error']) &&
    body.success === false &&
    hasFields(body.error, ['code', 'message']) &&
    typeof body.error.code === 'string' &&
    typeof body.error.message === 'string';
  const statuses = STATUSES[code as ErrorCode] as number[] | undefined;
  const needsDelay = NEEDS_RETRY_AFTER.includes(code);
  return [
    ...unless(fits, 'the envelope'),
    ...unless(statuses?.includes(status) ?? false, `status ${status} with the code ${code}`),
    ...unless(!needsDelay || /^[1-9]\d*$/.test(headers['retry-after'] ?? ''), 'header retry-after'),
  ];
}

const unless = (holds: boolean, fault: string): string[] => (holds ? [] : [fault]);

/** Reports whether the value is an object with exactly these fields. */
function hasFields<Name extends string>(value: unknown, names: Name[]): value is Record<Name, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).length === names.length && names.every((name) => name in value);
}
