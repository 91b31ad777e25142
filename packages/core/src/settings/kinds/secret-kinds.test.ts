import { describe, expect, it } from 'vitest';
import { secretPair, serviceClients } from './secret-kinds.js';

const key = 'k'.repeat(16);

describe('secrets that can be rotated', () => {
  it('one or two values are accepted', () => {
    expect(secretPair(16).schema.parse(key)).toEqual([key]);
    expect(secretPair(16).schema.parse(`${key}, ${key}2`)).toEqual([key, `${key}2`]);
  });

  it.each([
    ['a short value', 'k'.repeat(15)],
    ['a short second value', `${key},short`],
    ['three values', `${key},${key},${key}`],
    ['no value', ','],
    ['characters no header can carry', `${key}é`],
  ])('%s is refused', (_, text) => {
    expect(secretPair(16).schema.safeParse(text).success).toBe(false);
  });
});

describe('service clients', () => {
  const digest = 'AB'.repeat(32);
  const client = {
    id: 'billing',
    secretHashes: [`sha256:${digest}`],
    audiences: ['latchkey'],
    scopes: ['internal:read', 'internal:write'],
  };
  const problemOf = (clients: unknown) =>
    serviceClients.schema.safeParse(JSON.stringify(clients)).error?.issues[0]?.message;

  it('are read with lower-case digests and without the name of the algorithm', () => {
    expect(serviceClients.schema.parse(JSON.stringify([client]))).toEqual([
      { ...client, secretHashes: [digest.toLowerCase()] },
    ]);
  });

  it('may have two secrets, and no scope', () => {
    const two = { ...client, secretHashes: [`sha256:${digest}`, `sha256:${'0'.repeat(64)}`], scopes: [] };
    expect(serviceClients.schema.parse(JSON.stringify([two]))[0]?.secretHashes).toHaveLength(2);
  });

  it.each([
    ['another shape', client, 'the text must be a list of clients'],
    ['a text', [client, 'x'], 'client 2 must be an object'],
    [
      'an unknown field',
      [{ ...client, scope: ['internal:read'] }],
      'client 1 has a field that is unknown (there are id, secretHashes, audiences, scopes)',
    ],
    [
      'an id with spaces',
      [{ ...client, id: 'a b' }],
      'client 1 id must be 1 to 100 letters, digits, or . _ : -',
    ],
    [
      'a plain secret',
      [{ ...client, secretHashes: ['hunter2'] }],
      'client 1 secretHashes entry 1 must be sha256: and 64 hexadecimal digits',
    ],
    ['no secret', [{ ...client, secretHashes: [] }], 'client 1 secretHashes must contain one or two digests'],
    ['no audience', [{ ...client, audiences: [] }], 'client 1 audiences must name an audience'],
    ['a missing field', [{ ...client, scopes: undefined }], 'client 1 scopes must be a list'],
    [
      'two scopes in one',
      [{ ...client, scopes: ['a b'] }],
      'client 1 scopes entry 1 must be text without spaces',
    ],
    ['one id twice', [client, client], 'two clients share an id'],
  ])('refuse %s', (_, clients, problem) => {
    expect(problemOf(clients)).toBe(problem);
  });

  it('refuse text that is no JSON', () => {
    expect(serviceClients.schema.safeParse('billing:secret').success).toBe(false);
  });
});
