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

  it('knows no symmetric signing secret', () => {
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

  it.each(names)('%s says in words what it means and how to mend it', (name) => {
    const { description, expected, mend } = definitionOf(name);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(expected).not.toBe('');
    expect(mend).not.toMatch(/undefined|…$/);
  });
});
