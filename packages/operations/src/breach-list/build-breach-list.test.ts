import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BLOCK_BYTES } from '@latchkey/core/internal/passwords/breach-list/filter-block';
import { FilterFile } from '@latchkey/core/internal/passwords/breach-list/filter-file';
import { keyOf } from '@latchkey/core/internal/passwords/breach-list/password-key';
import { buildBreachList, type BreachListRequest } from './build-breach-list.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-breaches-'));
});
afterEach(() => rm(folder, { recursive: true }));

const output = () => join(folder, 'breached.list');

/** Builds a list from files with these contents. */
async function build(contents: (string | Buffer)[], more: Partial<BreachListRequest> = {}) {
  const inputs = contents.map((_, index) => join(folder, `input-${index}.txt`));
  await Promise.all(inputs.map((path, index) => writeFile(path, contents[index] ?? '')));
  return buildBreachList({ inputs, output: output(), ...more });
}

/** Returns which of these passwords the list has, the raw form alone. */
async function listed(passwords: string[]): Promise<string[]> {
  const filter = await FilterFile.open(output());
  const found: string[] = [];
  for (const password of passwords) if (await filter.has(keyOf(password))) found.push(password);
  await filter.close();
  return found;
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

describe('a list of breached passwords', () => {
  it('is made of SHA-1 hashes in upper or lower case, with and without counts and with any line ends', async () => {
    const lines = [
      `${sha1('first password').toUpperCase()}:4711`,
      `${sha1('second password')}\r`,
      '',
      `${sha1('third password')}:1\r`,
      sha1('last password, without a line end'),
    ];
    const built = await build([lines.join('\n')]);
    expect(built).toMatchObject({ file: output(), entries: 4, inputs: [{ format: 'sha1', entries: 4 }] });
    const words = [
      'first password',
      'second password',
      'third password',
      'last password, without a line end',
    ];
    expect(await listed([...words, 'fourth password'])).toEqual(words);
  });

  it('is made of words in UTF-8 or Latin-1, with or without a byte order mark, in both Unicode forms', async () => {
    const utf8 = '\u{FEFF}first word\r\n  spaces stay \ncafe\u0301 du monde\nﬁve owls\n';
    const latin1 = Buffer.from('gr\u00FC\u00DFe aus K\u00F6ln\n', 'latin1');
    const built = await build([utf8, latin1]);
    expect(built.inputs.map(({ format, entries }) => ({ format, entries }))).toEqual([
      { format: 'words', entries: 4 },
      { format: 'words', entries: 1 },
    ]);
    const words = [
      'first word',
      '  spaces stay ',
      'cafe\u0301 du monde',
      'caf\u00E9 du monde',
      'ﬁve owls',
      'five owls',
      'gr\u00FC\u00DFe aus K\u00F6ln',
    ];
    expect(await listed([...words, 'spaces stay', ''])).toEqual(words);
  });

  it('combines files of both formats, and reads hashes as words on request', async () => {
    const hash = sha1('a password');
    const built = await build([`${hash}\n`, 'a word\n']);
    expect(built.inputs.map(({ format }) => format)).toEqual(['sha1', 'words']);
    expect(await listed(['a password', 'a word', hash])).toEqual(['a password', 'a word']);
    await build([`${hash}\n`], { format: 'words' });
    expect(await listed(['a password', hash])).toEqual([hash]);
  });

  it('leaves out lines that are too long to be a password, and counts them', async () => {
    const long = 'x'.repeat(1025);
    const endless = 'y'.repeat(3_000_000);
    const built = await build([`first word\n${long}\n${endless}\nlast word\n`]);
    expect(built.inputs).toMatchObject([{ entries: 2, skipped: 2 }]);
    expect(await listed(['first word', 'last word', long])).toEqual(['first word', 'last word']);
  });

  it('reports the progress of its steps', async () => {
    const steps: string[] = [];
    await build([`${'word'.repeat(250)}\n`.repeat(2500)], {
      onProgress: ({ step, done, total }) => steps.push(`${step} ${done} of ${total}`),
    });
    expect(steps.filter((step) => step.startsWith('reading'))).toEqual([
      'reading 1048576 of 2502500',
      'reading 2097152 of 2502500',
      'reading 2502500 of 2502500',
    ]);
    expect(steps.at(-1)).toBe('writing 100 of 100');
  });
});

describe('an input that is no list', () => {
  it.each([
    ['an archive', Buffer.from('PK\u0003\u0004\0\0\0\0'), 'is not a text file. Unpack it first.'],
    ['NTLM hashes', `${sha1('x').slice(8)}:3\n`, 'like NTLM or MD5 hashes'],
    ['a range', `${sha1('x').slice(5)}:3\n`, 'is a range without the first 5 digits'],
    ['SHA-256 hashes', `${'a'.repeat(64)}\n`, 'has hashes that are longer than SHA-1'],
    ['an empty file', '', 'The input has no hashes or passwords.'],
    [
      'hashes and a cut line',
      `${`${sha1('x')}:3\n`.repeat(2000)}${sha1('y').slice(0, 20)}`,
      'line 2001 is not a SHA-1 hash',
    ],
  ])('is rejected with the reason: %s', async (_what, content, reason) => {
    await expect(build([content])).rejects.toThrow(reason);
    expect(await readdir(folder)).toEqual(['input-0.txt']);
  });
});

describe('the output of a build', () => {
  it('replaces an older list, and no other file', async () => {
    await build(['first word\n']);
    await build(['second word\n']);
    expect(await listed(['first word', 'second word'])).toEqual(['second word']);
    const input = join(folder, 'input-0.txt');
    await expect(buildBreachList({ inputs: [input], output: input })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await readFile(input, 'utf8')).toBe('second word\n');
  });

  it.each(['reading', 'writing'] as const)('is unchanged by a build that ends while %s', async (last) => {
    await build(['first word\n']);
    const before = await readFile(output());
    const controller = new AbortController();
    const ended = build([`${'second word'.repeat(90)}\n`.repeat(2500)], {
      signal: controller.signal,
      onProgress: ({ step }) => {
        if (step === last) controller.abort();
      },
    });
    await expect(ended).rejects.toThrow('aborted');
    expect(before.equals(await readFile(output()))).toBe(true);
    expect(await readdir(folder)).toEqual(['breached.list', 'input-0.txt']);
  });
});

describe('a file that is no usable list', () => {
  const change = async (work: (bytes: Buffer) => Buffer): Promise<void> => {
    await build(['first word\n']);
    await writeFile(output(), work(await readFile(output())));
  };
  const flipped = (at: number) => (bytes: Buffer) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };

  it.each([
    ['empty', () => Buffer.alloc(0), 'is not a list'],
    ['foreign', () => Buffer.from('{"some": "file"}'.repeat(1000)), 'is not a list'],
    ['cut within the header', (bytes: Buffer) => bytes.subarray(0, 1000), 'is cut off'],
    ['cut after the header', (bytes: Buffer) => bytes.subarray(0, BLOCK_BYTES), 'is not complete'],
    ['cut by a byte', (bytes: Buffer) => bytes.subarray(0, -1), 'is not complete'],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1)]), 'is not complete'],
    ['of another version', flipped(16), 'has format 0'],
    ['of other parameters', flipped(24), 'the checksum of its header is wrong'],
    [
      'zero in its second half',
      (bytes: Buffer) => bytes.fill(0, bytes.length / 2),
      'is damaged: the checksum of block',
    ],
  ])('is not opened: %s', async (_what, work, reason) => {
    await change(work);
    await expect(FilterFile.open(output())).rejects.toThrow(reason);
  });

  it('is not opened with blocks of another build', async () => {
    await build(['first word\n']);
    const older = await readFile(output());
    await build(['second word\n', 'third word\n']);
    const newer = await readFile(output());
    await writeFile(output(), Buffer.concat([newer.subarray(0, BLOCK_BYTES), older.subarray(BLOCK_BYTES)]));
    await expect(FilterFile.open(output())).rejects.toThrow('the checksum of block 0 is wrong');
  });
});
