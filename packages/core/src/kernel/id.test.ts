import { describe, expect, it } from 'vitest';
import { isUuid, newId } from './id.js';

describe('a new id', () => {
  it('a new id is a UUIDv7 of the present millisecond', () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const moment = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(moment).toBeGreaterThanOrEqual(before);
    expect(moment).toBeLessThanOrEqual(Date.now());
  });

  it('a new id sorts after the earlier ones', () => {
    const ids = Array.from({ length: 2000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a UUID', () => {
  it.each([
    newId(),
    newId().toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    '11111111-1111-1111-1111-111111111111',
    'FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF',
  ])('%s is a UUID', (text) => {
    expect(isUuid(text)).toBe(true);
  });

  it.each([
    '',
    'x',
    newId().replaceAll('-', ''),
    `{${newId()}}`,
    `urn:uuid:${newId()}`,
    `${newId()}0`,
    newId().slice(1),
    ` ${newId()}`,
    `${newId()}\n`,
    'g1111111-1111-1111-1111-111111111111',
    '１1111111-1111-1111-1111-111111111111',
  ])('%j is not a UUID', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
