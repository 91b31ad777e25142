import fs from 'node:fs';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  AuthError,
  ERROR_CODES,
  ERROR_REASONS,
  FIELD_REASONS,
  silentLogger,
  type ErrorCode,
} from '@latchkey/core';
import { sendError } from '@latchkey/express-adapter';

const page = fs.readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

/** The sections of the page by the code in their heading. */
const sections = new Map(
  page
    .split(/^(?=#{2,3} )/m)
    .map((section): [string | undefined, string] => [/^### `(\w+)`/.exec(section)?.[1], section])
    .filter((entry): entry is [string, string] => entry[0] !== undefined),
);

/** Returns the status with which the adapter answers. */
function statusOf(code: ErrorCode): number {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  sendError(response, new AuthError(code, 'x'), { logger: silentLogger });
  return response.statusCode;
}

it('the page has exactly one section per code', () => {
  expect([...sections.keys()].toSorted()).toEqual([...ERROR_CODES].toSorted());
  expect(page.match(/^### `/gm)).toHaveLength(ERROR_CODES.length);
});

describe.each(ERROR_CODES)('the section of %s', (code) => {
  const section = sections.get(code) ?? '';

  it('names the status of the response', () => {
    expect(/^\*\*Status (\d{3})\.\*\*/m.exec(section)?.[1]).toBe(String(statusOf(code)));
  });

  it('has the cause, an example and the client action', () => {
    expect(section).toContain(`"code": "${code}"`);
    expect(section).toMatch(/^\*\*Cause\.\*\* /m);
    expect(section).toMatch(/^\*\*Client action\.\*\* /m);
  });

  it('lists exactly the reasons other than the code itself', () => {
    const rows = [...section.matchAll(/^\| `(\w+)` +\| .{10,} \|$/gm)].map(([, reason]) => reason);
    expect(rows).toEqual(ERROR_REASONS[code].filter((reason) => reason !== code));
  });

  it('is in the table at the top', () => {
    const row = new RegExp(`^\\| \\[\`${code}\`\\]\\(#${code}\\) +\\| ${statusOf(code)} `, 'm');
    expect(page).toMatch(row);
  });
});

it('the page lists each reason of a field', () => {
  const [, details = ''] = page.split('\n## Problem details\n');
  const [table = ''] = details.split('\n### ');
  const rows = [...table.matchAll(/^\| `(\w+)` +\| .{10,} \|$/gm)].map(([, reason]) => reason);
  expect(rows).toEqual([...FIELD_REASONS]);
});
