import express from 'express';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createTestAuth, type TestAuth } from '@latchkey/core/testing';
import { runExample, type Scope } from './support/docstrings/example-run.js';
import { typeFaults } from './support/docstrings/example-types.js';
import { entries, publicExports, type PublicExport } from './support/docstrings/public-export.js';

const all = publicExports();
/** Each thing once, by the first entry that offers it. */
const distinct = [
  ...new Map([...all].reverse().map((each) => [`${each.place} ${each.name}`, each])).values(),
];
/** What would be noticed by examples that share a kit. */
const DISTURBING = /\bkit\.(?:clock|close|mail\.(?:all|clear))\b|\bbootstrap\b|\bmaintenance\.run\b/;
const kits: TestAuth[] = [];
let shared: Promise<TestAuth> | undefined;

afterAll(() => Promise.all(kits.map((kit) => kit.close())));

/** Everything that can be imported, and what examples take as given where they ask for it. */
async function scopeFor(code: string): Promise<Scope> {
  const modules = await Promise.all(entries.map(({ name }) => import(name) as Promise<Scope>));
  const scope = Object.assign({ expect, express, process }, ...modules.reverse()) as Scope;
  if (!/\b(?:auth|kit)\b/.test(code)) return { ...scope, app: express() };
  const kit = await (DISTURBING.test(code) ? openKit() : (shared ??= openKit()));
  return { ...scope, kit, auth: kit.auth, app: express() };
}

async function openKit(): Promise<TestAuth> {
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url });
  kits.push(kit);
  return kit;
}

describe('what the packages offer', () => {
  it('is explained, each thing by itself', () => {
    expect(lacking((each) => each.description.trim() !== '')).toEqual([]);
  });

  it('has one entry each, but for settings and lists of names, which commands load without the core', () => {
    const names = all.map(({ name }) => name);
    const shared = names.filter((name, index) => names.indexOf(name) !== index);
    expect(shared.toSorted()).toEqual(['APPROVAL_STATUSES', 'GLOBAL_ROLES', 'Secret', 'readSettings']);
  });

  it('has an example each', () => {
    expect(lacking((each) => each.examples.length > 0)).toEqual([]);
  });

  it('is used in examples as its types want it', () => {
    expect(typeFaults(distinct)).toEqual([]);
  });
});

describe('the example of', () => {
  const runnable = distinct.filter((each) => each.examples.length > 0);
  it.each(runnable.map((each) => [`${each.name} (${each.place})`, each] as const))(
    '%s does what it says',
    async (_title, { examples }) => {
      for (const code of examples) await runExample(code, await scopeFor(code));
    },
  );
});

const lacking = (holds: (each: PublicExport) => boolean): string[] =>
  distinct.filter((each) => !holds(each)).map(({ name, place }) => `${name} (${place})`);
