import express from 'express';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { runExample, type Scope } from './support/docstrings/example-run.js';
import { typeFaults } from './support/docstrings/example-types.js';
import { entries, publicExports, type PublicExport } from './support/docstrings/public-export.js';

const all = publicExports();
/** Each export once, by the first entry that has it. */
const distinct = [
  ...new Map([...all].reverse().map((each) => [`${each.place} ${each.name}`, each])).values(),
];
/** Changes that would affect other examples of the same kit. */
const DISTURBING = /\bkit\.(?:clock|close|mail\.(?:all|clear))\b/;
const kits: TestAuth[] = [];
let shared: Promise<TestAuth> | undefined;

afterAll(() => Promise.all(kits.map((kit) => kit.close())));

/** Returns everything that can be imported, what its own entry has first, and the fixtures that examples use. */
async function scopeFor(code: string, entry: string): Promise<Scope> {
  const modules = await Promise.all(entries.map(({ name }) => import(name) as Promise<Scope>));
  const own = (await import(entry)) as Scope;
  const scope = Object.assign({ expect, express, process }, ...modules.reverse(), own) as Scope;
  if (!/\b(?:auth|kit)\b/.test(code)) return { ...scope, app: express() };
  const kit = await (DISTURBING.test(code) ? openKit() : (shared ??= openKit()));
  return { ...scope, kit, auth: kit.auth, app: express() };
}

async function openKit(): Promise<TestAuth> {
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url });
  kits.push(kit);
  return kit;
}

describe('the exports of the packages', () => {
  it('every export is documented by itself', () => {
    expect(lacking((each) => each.description.trim() !== '')).toEqual([]);
  });

  it('a name means the same in every entry, except guards and message classes, which each host has its own of', () => {
    const names = distinct.map(({ name }) => name);
    const shared = names.filter((name, index) => names.indexOf(name) !== index);
    expect(shared.toSorted()).toEqual(['Guards', 'createGuards', 'messageClasses']);
  });

  it('every function and every class has an example', () => {
    expect(lacking((each) => !each.isCallable || each.examples.length > 0)).toEqual([]);
  });

  it('a type, an interface or a constant has no example', () => {
    expect(lacking((each) => each.isCallable || each.examples.length === 0)).toEqual([]);
  });

  it('functions and classes are used in examples as their types require', () => {
    expect(typeFaults(distinct)).toEqual([]);
  });
});

describe('the examples', () => {
  const runnable = distinct.filter((each) => each.examples.length > 0);
  it.each(runnable.map((each) => [`${each.name} (${each.place})`, each] as const))(
    'the example of %s does what it says',
    async (_title, { entry, examples }) => {
      for (const code of examples) await runExample(code, await scopeFor(code, entry));
    },
  );
});

const lacking = (holds: (each: PublicExport) => boolean): string[] =>
  distinct.filter((each) => !holds(each)).map(({ name, place }) => `${name} (${place})`);
