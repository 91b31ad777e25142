import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../../../test/support/scale.js';
import {
  jsonLines as line,
  messageOf,
  readImportFile as read,
  type ReadOutcome,
} from '../../../../../test/support/source-entries.js';
import { readEntries } from './read-entries.js';
import { IMPORT_FORMATS } from './source-entry.js';

const MEBIBYTE = 1024 * 1024;

const ann = { email: 'ann@example.com', fullName: 'Ann Berg' };
const bob = { email: 'bob@example.com', fullName: 'Bob Lund' };
const faultsIn = ({ entries }: ReadOutcome) =>
  entries.map((entry) => ('fault' in entry ? `${entry.position}: ${entry.fault}` : entry.position));

describe('a file in JSON Lines', () => {
  it('gives each record with its line', async () => {
    const { entries, error } = await read('jsonl', line(ann) + line(bob));
    expect(error).toBeUndefined();
    expect(entries).toEqual([
      { position: 1, record: ann, notes: [] },
      { position: 2, record: bob, notes: [] },
    ]);
  });

  it('may have a byte order mark, blank lines, carriage returns and no last line break', async () => {
    const content = `\uFEFF\r\n${JSON.stringify(ann)}\r\n\n  \t \r\n${JSON.stringify(bob)}`;
    for (const size of [1, 2, 7, 64 * 1024]) {
      expect(await read('jsonl', content, { size })).toEqual({
        entries: [
          { position: 2, record: ann, notes: [] },
          { position: 5, record: bob, notes: [] },
        ],
        error: undefined,
      });
    }
  });

  it('may be empty: an export of no user is', async () => {
    expect(await read('jsonl', '')).toEqual({ entries: [], error: undefined });
    expect(await read('jsonl', '\uFEFF\n')).toEqual({ entries: [], error: undefined });
  });

  it.each([
    ['text', 'users: none', 'The line is not valid JSON.'],
    ['a cut object', '{"email":"ann@exam', 'The line is not valid JSON.'],
    ['a list', '[1]', 'The line is not a JSON object.'],
    ['null', 'null', 'The line is not a JSON object.'],
    ['a NUL byte', '{"email":"ann\0@example.com"}', 'The line contains a NUL character.'],
    [
      'an escaped NUL',
      String.raw`{"email":"ann\u0000@example.com"}`,
      'email: contains a NUL or an unpaired surrogate.',
    ],
    [
      'half a surrogate pair',
      String.raw`{"fullName":"\ud83c"}`,
      'fullName: contains a NUL or an unpaired surrogate.',
    ],
    ['a longer line', line({ fullName: 'x'.repeat(MEBIBYTE) }).trim(), 'The line is longer than 1 MiB.'],
    ['an endless line', 'x'.repeat(3 * MEBIBYTE), 'The line is longer than 1 MiB.'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'The line is not valid UTF-8.'],
  ])('goes on after a line with %s', async (_what, bad, fault) => {
    const content = Buffer.concat([Buffer.from(line(ann)), Buffer.from(bad), Buffer.from(`\n${line(bob)}`)]);
    const { entries, error } = await read('jsonl', content);
    expect(error).toBeUndefined();
    expect(entries).toEqual([
      { position: 1, record: ann, notes: [] },
      { position: 2, fault },
      { position: 3, record: bob, notes: [] },
    ]);
  });

  it('is not one JSON document: the message says how to change it', async () => {
    const outcome = await read('jsonl', JSON.stringify([ann, bob]), { file: 'users.json' });
    expect(messageOf(outcome)).toBe(
      `validation_error: users.json is one JSON document. Write each user on a line of its own, as with jq -c '.[]'.`,
    );
  });
});

describe('a CSV file', () => {
  const header = 'email,fullName\n';

  it('gives a record for each row, with quoted cells over several lines', async () => {
    const content =
      '\uFEFFemail,fullName,isActive\r\n"ann@example.com","Ann ""Annie""\r\nBerg",true\r\n\r\nbob@example.com,,no';
    for (const size of [1, 3, 64 * 1024]) {
      expect((await read('csv', content, { size })).entries).toEqual([
        {
          position: 3,
          record: { email: 'ann@example.com', fullName: 'Ann "Annie"\r\nBerg', isActive: true },
          notes: [],
        },
        { position: 5, record: { email: 'bob@example.com', isActive: false }, notes: [] },
      ]);
    }
  });

  it.each([';', '\t'])('may separate its columns by %j', async (delimiter) => {
    const { entries } = await read(
      'csv',
      `email${delimiter}fullName\nann@example.com${delimiter}Berg, Ann\n`,
    );
    expect(entries).toMatchObject([{ record: { email: 'ann@example.com', fullName: 'Berg, Ann' } }]);
  });

  it.each([
    ['too few columns', 'x@example.com', 'The row has 1 columns, but the header has 2.'],
    ['too many columns', 'x@example.com,X,,', 'The row has 4 columns, but the header has 2.'],
    ['a NUL', 'x@example.com,\0', 'The row contains a NUL character.'],
    ['a misplaced quotation mark', 'x@example.com,a"b"', 'The row has a quotation mark in the wrong place.'],
    ['a long cell', `x@example.com,${'x'.repeat(MEBIBYTE)}`, 'The row is longer than 1 MiB.'],
    ['bytes that are not UTF-8', Buffer.from([0x78, 0x2c, 0xff]), 'The row is not valid UTF-8.'],
  ])('goes on after a row with %s', async (_what, bad, fault) => {
    const content = [
      Buffer.from(`${header}ann@example.com,Ann\n`),
      Buffer.from(bad),
      Buffer.from('\nbob@example.com,Bob\n'),
    ];
    const outcome = await read('csv', Buffer.concat(content));
    expect(messageOf(outcome)).toBe('undefined');
    expect(faultsIn(outcome)).toEqual([2, `3: ${fault}`, 4]);
  });

  it.each([
    [
      'no column of addresses',
      'mail,fullName\n',
      'The file has no column email. The first line must name the columns:',
    ],
    [
      'a repeated column',
      'email,fullName,email\n',
      'The file has the column email twice. Rename or remove one of the two.',
    ],
    [
      'a misspelt column',
      'email,fulName\n',
      'The file has the unknown column "fulName". Did you mean fullName?',
    ],
    [
      'an unknown column',
      'email,shoe size\n',
      'The file has the unknown column "shoe size". Rename or remove it.',
    ],
    ['nothing', ' \n', 'The file is empty. Export it again.'],
  ])('is rejected with a header with %s', async (_what, content, message) => {
    const outcome = await read('csv', content);
    expect(messageOf(outcome)).toContain(`validation_error: ${message}`);
    expect(outcome.entries).toEqual([]);
  });

  it('is rejected at a quotation mark that is never closed, after the rows before it', async () => {
    const outcome = await read('csv', `${header}ann@example.com,Ann\nbob@example.com,"Bob\n`);
    expect(faultsIn(outcome)).toEqual([2]);
    expect(messageOf(outcome)).toContain('ends within a quoted cell');
    const endless = await read(
      'csv',
      `${header}ann@example.com,Ann\nbob@example.com,"${'x\n'.repeat(10 * MEBIBYTE)}`,
    );
    expect(faultsIn(endless)).toEqual([2]);
    expect(messageOf(endless)).toContain('has a row of more than 16 MiB');
  });

  it('maps every column of a record', async () => {
    const columns =
      'email,emailVerified,phonePrefix,phoneNumber,globalRole,approvalStatus,passwordHash,createdAt,legacy.crm,companyId,role,companyId.2';
    const cells =
      'ann@example.com,t,+49,3012345,PLATFORM_ADMIN,APPROVED,$2b$10$x,2024-05-01 12:00:00+02,4711,one,ADMIN,two';
    expect((await read('csv', `${columns}\n${cells}\n`)).entries).toEqual([
      {
        position: 2,
        notes: [],
        record: {
          email: 'ann@example.com',
          isEmailVerified: true,
          phonePrefix: '+49',
          phoneNumber: '3012345',
          globalRole: 'PLATFORM_ADMIN',
          approvalStatus: 'APPROVED',
          passwordHash: '$2b$10$x',
          createdAt: '2024-05-01T10:00:00.000Z',
          legacyIds: { crm: '4711' },
          memberships: [{ companyId: 'one', role: 'ADMIN' }, { companyId: 'two' }],
        },
      },
    ]);
  });

  it('keeps a cell that is no boolean or time, so that the check of the record names it', async () => {
    const { entries } = await read('csv', 'email,isActive,createdAt\nann@example.com,maybe,yesterday\n');
    expect(entries).toMatchObject([{ record: { isActive: 'maybe', createdAt: 'yesterday' } }]);
  });
});

describe('one JSON document', () => {
  const user = (name: string) => ({ localId: `id-${name}`, email: `${name}@example.com`, displayName: name });
  const documentOf = (users: readonly unknown[]): string => JSON.stringify({ kind: 'x', users }, null, 2);

  it('gives the users of its list, cut anywhere into chunks', async () => {
    const content = `\uFEFF${JSON.stringify({ roles: [{ users: 1 }], users: [user('ann'), user('zoë🌷')], after: [1] }, null, 1)}`;
    for (const size of [1, 3, 64 * 1024]) {
      const { entries, error } = await read('firebase', content, { size });
      expect(error).toBeUndefined();
      expect(entries).toMatchObject([
        { position: 1, record: { email: 'ann@example.com', legacyIds: { firebase: 'id-ann' } } },
        { position: 2, record: { fullName: 'zoë🌷' } },
      ]);
    }
  });

  it('may be the list itself, and the list may be empty', async () => {
    expect((await read('keycloak', JSON.stringify([{ email: 'ann@example.com' }]))).entries).toHaveLength(1);
    expect(await read('keycloak', '[]')).toEqual({ entries: [], error: undefined });
    expect(await read('keycloak', '{"users":[]}')).toEqual({ entries: [], error: undefined });
  });

  it('goes on after a value that is no user', async () => {
    const long = { ...user('x'), customAttributes: 'x'.repeat(MEBIBYTE) };
    const outcome = await read('firebase', documentOf([user('ann'), 7, null, 'x', [1], long, user('bob')]));
    const notAnObject = 'The entry is not a JSON object.';
    expect(messageOf(outcome)).toBe('undefined');
    expect(faultsIn(outcome)).toEqual([
      1,
      ...[2, 3, 4, 5].map((position) => `${position}: ${notAnObject}`),
      '6: The entry is longer than 1 MiB.',
      7,
    ]);
  });

  it('goes on after a user whose text is not UTF-8 or cannot be stored', async () => {
    const broken = documentOf([user('ann'), user('bad'), user('nul'), user('bob')])
      .replaceAll('"bad"', '"b\xFFd"')
      .replaceAll('"id-nul"', String.raw`"\u0000"`);
    for (const size of [1, 5, 64 * 1024]) {
      const outcome = await read('firebase', Buffer.from(broken, 'latin1'), { size });
      expect(messageOf(outcome)).toBe('undefined');
      expect(faultsIn(outcome)).toEqual([
        1,
        '2: The entry is not valid UTF-8.',
        '3: legacyIds.firebase: contains a NUL or an unpaired surrogate.',
        4,
      ]);
    }
  });

  it.each([
    [
      'ends early',
      (text: string) => text.slice(0, -4),
      'The file ends in the middle of the JSON document, after 2 users.',
    ],
    ['is damaged', (text: string) => text.replace('"bob"', 'bob'), 'The file is not valid JSON near byte'],
    [
      'has text after its end',
      (text: string) => `${text}\n{}`,
      'The file has text after the end of the JSON document',
    ],
    [
      'has a NUL byte',
      (text: string) => text.replace('"bob"', '"b\0b"'),
      'The file is not valid JSON near byte',
    ],
  ])('that %s is rejected after the users before the place', async (_what, change, message) => {
    const outcome = await read('firebase', change(documentOf([user('ann'), user('bob')])));
    expect(outcome.entries[0]).toMatchObject({ position: 1, record: { email: 'ann@example.com' } });
    expect(messageOf(outcome)).toContain(`validation_error: ${message}`);
  });

  it.each([
    ['has no list', '{"accounts":[]}', 'has no list of users: no property users.'],
    ['is nested too deeply', `{"users":${'['.repeat(200)}`, 'is nested too deeply'],
    [
      'has an endless text',
      `{"users":["${'x'.repeat(17 * MEBIBYTE)}`,
      'has a value of more than 16 MiB near byte',
    ],
    [
      'has an endless user',
      `{"users":[[${`"${'x'.repeat(10_000)}",`.repeat(1_700)}`,
      'has a value of more than 16 MiB near byte',
    ],
  ])('that %s is rejected', async (_what, content, message) => {
    expect(messageOf(await read('keycloak', content))).toContain(message);
  });
});

describe('a file that is not of the format', () => {
  it.each([
    ['compressed', Buffer.from([0x1f, 0x8b, 8, 0]), 'is compressed. Unpack it first, as with gunzip.'],
    ['an archive', Buffer.from('PK\u0003\u0004'), 'is an archive. Unpack it first.'],
    ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'is UTF-16. Save it as UTF-8.'],
    ['encrypted', Buffer.from('-----BEGIN PGP MESSAGE-----\n'), 'is encrypted. Decrypt it first'],
    ['empty', Buffer.from(''), 'is empty. Export it again.'],
    ['other text', Buffer.from('Dear support'), 'is not JSON. Export it again as JSON.'],
  ])('is rejected with the fix: %s', async (_what, content, message) => {
    expect(messageOf(await read('keycloak', content, { file: 'x.json' }))).toContain(
      `validation_error: x.json ${message}`,
    );
  });
});

describe('the input', () => {
  it('is closed at the end, after an error and when the caller stops', async () => {
    const closed: string[] = [];
    const source = async function* (name: string, content: string): AsyncGenerator<Buffer> {
      try {
        for (let count = 0; count < 3; count++) yield await Promise.resolve(Buffer.from(content));
      } finally {
        closed.push(name);
      }
    };
    let users = 0;
    for await (const batch of readEntries(source('end', line(ann)), 'jsonl')) users += batch.length;
    expect(users).toBe(3);
    const stopped = readEntries(source('stop', line(ann)), 'jsonl');
    await stopped.next();
    await stopped.return();
    await expect(readEntries(source('error', 'x'), 'keycloak').next()).rejects.toThrow('is not JSON');
    expect(closed).toEqual(['end', 'stop', 'error']);
  });

  it('may give text, as a stream with an encoding does', async () => {
    const source = async function* () {
      yield await Promise.resolve(line(ann));
    };
    for await (const batch of readEntries(source(), 'jsonl')) expect(batch).toMatchObject([{ record: ann }]);
  });

  it('passes its own error on', async () => {
    const source = async function* () {
      yield await Promise.resolve(Buffer.from(line(ann)));
      throw new Error('the disk is gone');
    };
    const entries = readEntries(source(), 'jsonl');
    expect((await entries.next()).value).toHaveLength(1);
    await expect(entries.next()).rejects.toThrow('the disk is gone');
  });
});

describe('any bytes', () => {
  /** Pieces of files, so that more than the first byte is read. */
  const pieces = fc.oneof(
    fc.constantFrom(
      '{"users":[',
      '{"email":"ann@example.com"}',
      '[',
      ']',
      '}',
      ',',
      '\n',
      '\r\n',
      '"',
      '\\',
      ':',
      '\0',
    ),
    fc.constantFrom(
      'email,fullName\n',
      'id,email\n',
      'id,primary_email_address\n',
      'ann@example.com,Ann\n',
      ';',
      '\t',
    ),
    fc.json(),
    fc.string({ unit: 'binary' }),
  );
  const contents = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(''))),
    fc.array(fc.json().map((json) => `${json}\n`)).map((lines) => Buffer.from(lines.join(''))),
    fc.array(fc.json()).map((users) => Buffer.from(`{"users":[${users.join(',')}]}`)),
  );

  it.each(IMPORT_FORMATS)('as %s give entries in order, or one error of the file', async (format) => {
    await fc.assert(
      fc.asyncProperty(contents, fc.integer({ min: 1, max: 300 }), async (content, size) => {
        const { entries, error } = await read(format, content, { size });
        if (error !== undefined) expect(error).toMatchObject({ code: 'validation_error' });
        const positions = entries.map(({ position }) => position);
        expect(positions.every((position, at) => position > (positions[at - 1] ?? 0))).toBe(true);
        for (const entry of entries) {
          if ('fault' in entry) expect(entry.fault).toMatch(/\.$/);
          else expect(entry.notes.every((note) => note.endsWith('.'))).toBe(true);
        }
      }),
      { numRuns: runsOf(150) },
    );
  });

  it.each(['jsonl', 'csv', 'keycloak'] as const)(
    'as %s give the same entries in any chunks',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(contents, fc.integer({ min: 1, max: 50 }), async (content, size) => {
          const whole = await read(format, content, { size: 1_000_000 });
          const cut = await read(format, content, { size });
          expect(cut.entries).toEqual(whole.entries);
          expect(cut.error === undefined).toBe(whole.error === undefined);
        }),
        { numRuns: runsOf(150) },
      );
    },
  );
});

/** Memory is compared without what is no longer used. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a million users', () => {
  const USERS = 200_000;
  const jsonLine = (number: number): string => line({ ...ann, email: `user${number}@example.com` });
  const row = (number: number): string => `user${number}@example.com,Ann Berg\n`;
  const element = (number: number): string =>
    `${number === 0 ? '{"users":[' : ','}${JSON.stringify({ email: `user${number}@example.com`, firstName: 'Ann' })}${number === USERS - 1 ? ']}' : ''}`;

  async function* generated(first: string, textOf: (number: number) => string): AsyncGenerator<Buffer> {
    let text = first;
    for (let number = 0; number < USERS; number++) {
      text += textOf(number);
      if (text.length < 64 * 1024) continue;
      yield await Promise.resolve(Buffer.from(text));
      text = '';
    }
    yield Buffer.from(text);
  }

  it.each([
    ['jsonl', '', jsonLine],
    ['csv', 'email,fullName\n', row],
    ['keycloak', '', element],
  ] as const)('in %s need no more memory than some', async (format, first, textOf) => {
    let users = 0;
    let largest = 0;
    const heap: number[] = [];
    for await (const batch of readEntries(generated(first, textOf), format)) {
      users += batch.length;
      largest = Math.max(largest, batch.length);
      if (users < heap.length * 40_000) continue;
      collectGarbage();
      heap.push(process.memoryUsage().heapUsed);
    }
    expect(users).toBe(USERS);
    expect(largest).toBeLessThan(10_000);
    // All users would be 60 MB or more.
    expect(Math.max(...heap) - Math.min(...heap)).toBeLessThan(10 * MEBIBYTE);
  });
});
