import { describe, expect, it } from 'vitest';
import { settingGroups } from './setting-definition.js';
import { definitionOf, settingDefinitions } from './setting-definitions.js';

const names = settingDefinitions.map(({ name }) => name);

describe('the list of settings', () => {
  it('names every setting once', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it('keeps the suffix _FILE free for paths', () => {
    expect(names.filter((name) => name.endsWith('_FILE'))).toEqual([]);
  });

  it('has no symmetric signing secret', () => {
    expect(names).not.toContain('JWT_SECRET');
  });

  it('has a setting under every heading', () => {
    const used = new Set(settingDefinitions.map(({ group }) => group));
    expect([...used].sort()).toEqual([...settingGroups].sort());
  });

  it.each(names)('%s accepts its own default', (name) => {
    expect(definitionOf(name).parse(undefined)).toMatchObject({ ok: true });
  });

  it.each(names)('%s accepts its own example', (name) => {
    const definition = definitionOf(name);
    expect(definition.parse(definition.example)).toMatchObject({ ok: true });
  });

  it.each(names)('%s has a description and an instruction for fixing it', (name) => {
    const { description, expected, fix } = definitionOf(name);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(expected).not.toBe('');
    expect(fix).not.toMatch(/undefined|…$/);
  });
});
