import type { IncomingMessage } from 'node:http';
import { request as requestMethods } from 'express';
import { expect, it } from 'vitest';
import { PROBLEM, prefersProblemDetails } from './accept.js';

const RANGES = ['application/json', PROBLEM, 'application/*', '*/*', 'text/html', 'APPLICATION/JSON'];
const QUALITIES = ['', ';q=0', ';q=0.5', '; q=0.9', ';q=nonsense', ';charset=utf-8'];

/** Every pair of ranges, each with a quality. */
const pairs = RANGES.flatMap((one) =>
  RANGES.flatMap((other) =>
    QUALITIES.slice(0, 4).flatMap((first) =>
      QUALITIES.slice(0, 4).map((second) => `${one}${first}, ${other}${second}`),
    ),
  ),
);

it('problem details are preferred whenever the service prefers them', () => {
  const headers = ['', ...RANGES.flatMap((range) => QUALITIES.map((quality) => range + quality)), ...pairs]
    // Express ignores a type with parameters that it does not offer.
    .filter((header) => !header.includes('charset') && !header.includes('nonsense'));
  const differing = headers.filter((accept) => {
    const request: unknown = { headers: { accept } };
    const expected =
      requestMethods.accepts.call(request as IncomingMessage, 'application/json', PROBLEM) === PROBLEM;
    return prefersProblemDetails(accept) !== expected;
  });
  expect(headers.length).toBeGreaterThan(500);
  expect(differing).toEqual([]);
});
