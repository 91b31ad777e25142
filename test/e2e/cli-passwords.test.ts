import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BLOCK_BYTES, blockOf, isIn } from '../../packages/core/src/passwords/breach-list/filter-block.js';
import { decodeHeader, positionOf } from '../../packages/core/src/passwords/breach-list/filter-header.js';
import { keyOf } from '../../packages/core/src/passwords/breach-list/password-key.js';
import { runCliHere, startCli } from '../support/cli-process.js';
import { programFile } from '../support/programs.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-breaches-'));
});
afterEach(() => rm(folder, { recursive: true }));

const output = () => join(folder, 'breached.list');
const wordOf = (number: number): string => `word number ${number}`;

async function fileOfWords(name: string, count: number): Promise<string> {
  const path = join(folder, name);
  const file = createWriteStream(path);
  for (let from = 0; from < count; from += 10_000) {
    const words = Array.from({ length: Math.min(10_000, count - from) }, (_, each) => wordOf(from + each));
    if (!file.write(`${words.join('\n')}\n`)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
  return path;
}

/** Samples the memory of its process: `maxRSS` would include that of the process it was forked from. */
const SAMPLER = `data:text/javascript,${encodeURIComponent(`
  let most = 0;
  const look = () => { most = Math.max(most, process.memoryUsage.rss()); };
  setInterval(look, 20).unref();
  process.on('exit', () => { look(); process.stderr.write('\\nmost memory: ' + most); });
`)}`;

interface MeasuredBuild {
  code: number | null;
  stdout: string;
  megabytes: number;
}

/** Builds a list in a process whose JavaScript heap has 64 MB, and measures all memory of it. */
async function buildMeasured(input: string): Promise<MeasuredBuild> {
  const limits = ['--max-old-space-size=64', '--import', SAMPLER];
  const args = ['passwords', 'build-list', input, '--output', output(), '--json'];
  const child = spawn(process.execPath, [...limits, programFile('latchkey'), ...args], { cwd: folder });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const most = Number(/most memory: (\d+)/.exec(stderr)?.[1]);
  return { code, stdout, megabytes: most / 1_000_000 };
}

/** Returns a lookup in the bytes of a list. */
async function lookupIn(path: string): Promise<(password: string) => boolean> {
  const bytes = await readFile(path);
  const { blocks, probes } = decodeHeader(bytes);
  return (password) => {
    const { high, low } = keyOf(password);
    const position = positionOf(blockOf(high, blocks));
    return isIn(bytes.subarray(position, position + BLOCK_BYTES), low, probes);
  };
}

const WORDS = 1_000_000;

describe('latchkey passwords build-list', () => {
  it('build-list makes a list of a million words in flat memory, with every word and few others', async () => {
    const small = await buildMeasured(await fileOfWords('small.txt', 1000));
    const built = await buildMeasured(await fileOfWords('words.txt', WORDS));
    expect([small.code, built.code]).toEqual([0, 0]);
    expect(built.megabytes).toBeLessThan(small.megabytes + 100);
    const { entries, falsePositiveRate } = JSON.parse(built.stdout) as Record<string, number>;
    expect(entries).toBe(WORDS);
    expect(falsePositiveRate).toBeLessThan(0.001);
    const has = await lookupIn(output());
    let missing = 0;
    for (let each = 0; each < WORDS; each++) if (!has(wordOf(each))) missing++;
    expect(missing).toBe(0);
    let mistaken = 0;
    for (let each = 0; each < 300_000; each++) if (has(wordOf(WORDS + each))) mistaken++;
    expect(mistaken / 300_000).toBeLessThan(0.001);
    expect(mistaken / 300_000 / Number(falsePositiveRate)).toBeGreaterThan(0.4);
    expect(mistaken / 300_000 / Number(falsePositiveRate)).toBeLessThan(1.6);
  });

  it('build-list says what it read, what it wrote and how to use it', async () => {
    const input = join(folder, 'input.txt');
    await writeFile(input, `five owls\n${'x'.repeat(2000)}\n`);
    const { code, stdout, stderr } = await runCliHere([
      'passwords',
      'build-list',
      input,
      '--output',
      output(),
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`Read 1 password from ${input}, 1 line too long.`);
    expect(stdout).toContain(`Written: ${output()}, 1 entry, 1.1 MB.`);
    expect(stdout).toMatch(/False positives: 1 in [\d,]+ passwords that are not listed\./);
    expect(stderr).toContain(`set PASSWORD_BREACH_LIST=${output()}`);
    const quiet = await runCliHere(['passwords', 'build-list', input, '--output', output(), '--quiet']);
    expect(quiet).toEqual({ code: 0, stdout: '1\n', stderr: '' });
  });

  it('build-list with a larger share of false positives makes a smaller list', async () => {
    const input = await fileOfWords('words.txt', 700_000);
    const sizeFor = async (share: string) => {
      const args = ['passwords', 'build-list', input, '--output', output(), '--json'];
      const { stdout } = await runCliHere([...args, '--false-positives', share]);
      return (JSON.parse(stdout) as { bytes: number }).bytes;
    };
    expect(await sizeFor('0.05')).toBeLessThan((await sizeFor('0.001')) * 0.6);
  });

  it.each([
    ['a missing file', ['nowhere.txt'], 3, 'There is no file nowhere.txt.'],
    ['no input', [], 2, 'missing required argument'],
    ['a share of 1', ['x.txt', '--false-positives', '1'], 2, 'Give a share from 0.00001 to 0.05'],
    ['an unknown format', ['x.txt', '--format', 'ntlm'], 2, 'Allowed choices are sha1, words'],
    ['a folder', [tmpdir()], 1, 'is a folder'],
  ])('build-list refuses %s', async (_what, args, code, complaint) => {
    const refused = await runCliHere(['passwords', 'build-list', ...args, '--output', output()]);
    expect(refused.stderr).toContain(complaint);
    expect(refused.code).toBe(code);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', null],
    ['SIGKILL', null],
  ] as const)(
    'build-list that is ended by %s leaves the older list and nothing else',
    async (signal, code) => {
      const input = join(folder, 'input.txt');
      await writeFile(input, 'five owls\n');
      await runCliHere(['passwords', 'build-list', input, '--output', output()]);
      const before = await readFile(output());
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const build = startCli(['passwords', 'build-list', pipe, '--output', output()]);
      // Opening waits for the reader.
      const writer = await open(pipe, 'w');
      await writer.write('six owls\n'.repeat(5000));
      build.signal(signal);
      await writer.close();
      expect((await build.exited).code).toBe(code);
      expect(before.equals(await readFile(output()))).toBe(true);
      expect((await readdir(folder)).toSorted()).toEqual(['breached.list', 'input.txt', 'pipe']);
    },
  );
});
