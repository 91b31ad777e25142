import { readFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AuthError, ERROR_CODES } from '@latchkey/core';
import { statusOf } from './error-status.js';
import { prefersProblemDetails, problemDetails, toProblemDetails } from './problem-details.js';

function requestWith(accept: string | undefined): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (accept !== undefined) request.headers.accept = accept;
  return request;
}

describe('the client gets problem details', () => {
  it.each([
    'application/problem+json',
    'APPLICATION/PROBLEM+JSON',
    'application/problem+json, */*',
    'application/problem+json, application/json',
    'application/json;q=0.9, application/problem+json',
    'text/html, application/problem+json;q=0.1',
    '*/*;q=0.5, application/problem+json;q=0.6',
    'application/json;q=0, application/*',
  ])('the client gets problem details for Accept: %s', (accept) => {
    expect(prefersProblemDetails(requestWith(accept))).toBe(true);
  });
});

describe('the client gets the envelope', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'application/json, application/problem+json',
    'application/json, application/problem+json;q=0.9',
    'application/problem+json;q=0',
    'application/problem+json;q=0, */*',
    'application/problem+xml',
    'application/*+json',
    'text/html',
    'nonsense',
    ';;;,,,q=',
    'application/problem+json;q=x',
  ])('the client gets the envelope for Accept: %s', (accept) => {
    expect(prefersProblemDetails(requestWith(accept))).toBe(false);
  });
});

describe('the problem details of an error', () => {
  const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

  it.each(ERROR_CODES)(
    'the problem details of %s satisfy their schema and point at its section of the errors page',
    (code) => {
      const details = toProblemDetails(new AuthError(code, 'What people read.'), statusOf(code));
      expect(problemDetails.strict().parse(details)).toEqual(details);
      expect(details).toMatchObject({
        status: statusOf(code),
        detail: 'What people read.',
        code,
        reason: code,
      });
      const [address, anchor] = details.type.split('#');
      expect(address).toMatch(/\/docs\/errors\.md$/);
      expect(page).toContain(`\n### \`${anchor}\`\n`);
    },
  );

  it('the problem details of an error name the reason and each field', () => {
    const fields = [{ pointer: '/email', reason: 'format', message: 'must be an email address' }] as const;
    const error = AuthError.validation('email: must be an email address', { fields });
    expect(toProblemDetails(error, 400).errors).toEqual(fields);
    expect(toProblemDetails(AuthError.conflict('Taken.', 'email_taken'), 409)).toMatchObject({
      code: 'conflict',
      reason: 'email_taken',
    });
  });
});
