import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { promisesOf, repositoryRoot, threatModelPage } from '../support/threat-model.js';
import { allMutations } from './all-mutations.js';

/** Sections about outages, which tests simulate: they involve no attacker. */
const WITHOUT_ATTACKER = new Set(['Outages']);

const mutations = await allMutations();
const promises = promisesOf(threatModelPage());
const texts = new Set(promises.map(({ promise }) => promise));

describe('a planted defect can be planted:', () => {
  it.each(mutations)('$defect', ({ file, from, to, promise }) => {
    const source = fs.readFileSync(path.join(repositoryRoot, file), 'utf8');
    expect(source.split(from), `"${from}" occurs once in ${file}`).toHaveLength(2);
    expect(to).not.toBe(from);
    expect(texts, 'the page makes this promise').toContain(promise);
  });
});

describe('every promise that guards against an attack has a planted defect:', () => {
  const guarding = promises.filter(({ section }) => !WITHOUT_ATTACKER.has(section));
  it.each(guarding)('$promise', ({ promise }) => {
    expect(mutations.some((mutation) => mutation.promise === promise)).toBe(true);
  });
});

it('each defect is described once', () => {
  const defects = mutations.map(({ defect }) => defect);
  expect(defects.filter((defect, index) => defects.indexOf(defect) !== index)).toEqual([]);
});
