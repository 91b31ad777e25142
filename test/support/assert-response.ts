import { expect } from 'vitest';
import type { ErrorCode } from '@latchkey/core';
import type { Answer } from './api-client.js';
import { assertDocumented } from './assert-documented.js';

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
  registration_disabled: [403],
  not_found: [404],
  conflict: [409],
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

/** Asserts what holds for every response of the API. `what` names the request. */
export function assertResponse(answer: Answer, what: string): void {
  const [method = '', target = ''] = what.split(' ');
  const path = target.split('?')[0] ?? '';
  const description = `${what} → ${answer.status} ${answer.text.slice(0, 300)}`;
  expect(answer.milliseconds, description).toBeLessThan(ANSWER_WITHIN_MS);
  assertHeaders(answer, description);
  if (answer.status < 400) assertSuccess(answer, RAW_PATHS.includes(path), description);
  else assertError(answer, description);
  assertDocumented(answer, method, target);
  expect(answer.text, 'no password hash leaves the service').not.toContain('$argon2');
}

function assertHeaders({ headers }: Answer, description: string): void {
  expect(headers, description).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-frame-options': expect.any(String) as string,
    'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    // Without includeSubDomains: the other hosts of a domain are not ours to speak for.
    'strict-transport-security': 'max-age=31536000',
    'referrer-policy': 'no-referrer',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{8,128}$/) as string,
    'cache-control': expect.stringMatching(/^(no-store|public, max-age=300)$/) as string,
  });
  expect(headers, description).not.toHaveProperty('x-powered-by');
}

function assertSuccess({ status, body }: Answer, isRaw: boolean, description: string): void {
  expect([200, 201], description).toContain(status);
  if (isRaw) expect(body, description).toEqual({ keys: expect.any(Array) as unknown[] });
  else expect(body, description).toEqual({ success: true, data: expect.anything() as unknown });
}

function assertError({ status, headers, body, code }: Answer, description: string): void {
  const text = expect.any(String) as string;
  expect(body, description).toEqual({ success: false, error: { code: text, message: text } });
  expect(STATUSES[code as ErrorCode], description).toContain(status);
  if (NEEDS_RETRY_AFTER.includes(code ?? ''))
    expect(headers['retry-after'], description).toMatch(/^[1-9]\d*$/);
}
