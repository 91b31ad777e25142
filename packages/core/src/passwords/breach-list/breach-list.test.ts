import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildBreachList } from '@latchkey/operations';
import { silentLogger } from '../../kernel/logger.js';
import { unobserved, type BreachLookupOutcome } from '../../kernel/observer.js';
import { BreachList } from './breach-list.js';
import { BLOCK_BYTES } from './filter-block.js';

let folder: string;
let path: string;
let outcomes: BreachLookupOutcome[];
let logged: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-breaches-'));
  path = join(folder, 'breached.list');
  outcomes = [];
  logged = [];
  await listOf('five owls over the harbour\ncafe\u0301 du monde\n');
});
afterEach(() => rm(folder, { recursive: true }));

async function listOf(words: string): Promise<void> {
  const input = join(folder, 'words.txt');
  await writeFile(input, words);
  await buildBreachList({ inputs: [input], output: path });
}

async function withList<T>(work: (list: BreachList) => Promise<T>): Promise<T> {
  const list = await BreachList.open({
    path,
    observer: { ...unobserved, breachLookup: (outcome) => void outcomes.push(outcome) },
    logger: {
      ...silentLogger,
      error: (details, message) => void logged.push(message + JSON.stringify(details)),
    },
  });
  try {
    return await work(list);
  } finally {
    await list.close();
  }
}

describe('the list of breached passwords', () => {
  it('includes a password in any form that is stored as the same password', async () => {
    await withList(async (list) => {
      expect(await list.includes('five owls over the harbour')).toBe(true);
      expect(await list.includes('ﬁve owls over the harbour')).toBe(true);
      expect(await list.includes('cafe\u0301 du monde')).toBe(true);
      expect(await list.includes('caf\u00E9 du monde')).toBe(true);
      expect(await list.includes('Five owls over the harbour')).toBe(false);
    });
    expect(outcomes).toEqual(['listed', 'listed', 'listed', 'listed', 'unlisted']);
    expect(logged).toEqual([]);
  });

  it('answers from the file it was opened with, also when another has taken its name', async () => {
    await withList(async (list) => {
      await listOf('seven owls over the harbour\n');
      expect(await list.includes('five owls over the harbour')).toBe(true);
      expect(await list.includes('seven owls over the harbour')).toBe(false);
      await rename(path, `${path}.away`);
      expect(await list.includes('five owls over the harbour')).toBe(true);
    });
    expect(outcomes).not.toContain('failed');
  });

  it('accepts a password while the list is damaged, and logs and counts it without the password', async () => {
    await withList(async (list) => {
      const { length } = await readFile(path);
      const file = await open(path, 'r+');
      await file.write(Buffer.alloc(length - BLOCK_BYTES), 0, length - BLOCK_BYTES, BLOCK_BYTES);
      await file.close();
      expect(await list.includes('five owls over the harbour')).toBe(false);
    });
    expect(outcomes).toEqual(['failed']);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/PASSWORD_BREACH_LIST.*is damaged: the checksum of block \d+ is wrong/);
    expect(logged[0]).not.toContain('owls');
  });
});
