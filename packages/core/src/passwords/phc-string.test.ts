import { describe, expect, it } from 'vitest';
import { decoyPhcString, hasParameters, parsePhcString } from './phc-string.js';

const SALT = 'bGF0Y2hrZXktc2VsZnRzdA';
const DIGEST = '2zLSoXAZFscA0rRjrMsyqbDf8F87ee3yNvL4Jws9R+I';
const parameters = { memoryKib: 19_456, iterations: 2, parallelism: 1 };
const stored = `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${DIGEST}`;

describe('a PHC string', () => {
  it('contains its parameters', () => {
    expect(parsePhcString(stored)).toEqual({
      ...parameters,
      variant: 'argon2id',
      saltBytes: 16,
      digestBytes: 32,
    });
  });

  it.each([
    ['empty', ''],
    ['not PHC', 'plain text'],
    ['of another algorithm', stored.replace('argon2id', 'argon2')],
    ['of an older version', stored.replace('v=19', 'v=16')],
    ['without a version', stored.replace('$v=19', '')],
    ['without a digest', `$argon2id$v=19$m=19456,t=2,p=1$${SALT}`],
    ['with parameters in another order', stored.replace('m=19456,t=2', 't=2,m=19456')],
    ['with a leading zero', stored.replace('t=2', 't=02')],
    ['with padding', `${stored}=`],
    ['with stray bits at the end', stored.replace(/I$/, 'J')],
    ['with a short salt', stored.replace(SALT, 'AAAA')],
    ['with a short digest', stored.replace(DIGEST, 'AAAA')],
    ['with memory beyond any machine', stored.replace('m=19456', 'm=4294967295')],
    ['with too little memory for its lanes', stored.replace('m=19456', 'm=8').replace('p=1', 'p=2')],
    ['with endless iterations', stored.replace('t=2', 't=4294967295')],
    ['with more after its end', `${stored}$x`],
    ['with a line break after its end', `${stored}\n`],
  ])('%s is rejected', (_name, text) => {
    expect(parsePhcString(text)).toBeUndefined();
  });

  it.each([
    ['less memory', 'm=19456', 'm=9728'],
    ['more memory', 'm=19456', 'm=65536'],
    ['fewer iterations', 't=2', 't=1'],
    ['more iterations', 't=2', 't=3'],
    ['more lanes', 'p=1', 'p=4'],
    ['another variant', 'argon2id', 'argon2i'],
    ['a shorter digest', DIGEST, DIGEST.slice(0, 32)],
    ['a shorter salt', SALT, SALT.slice(0, 16)],
  ])('with %s has other parameters', (_name, from, to) => {
    const parsed = parsePhcString(stored.replace(from, to));
    expect(parsed && hasParameters(parsed, parameters)).toBe(false);
  });

  it('with the wanted parameters has them', () => {
    const parsed = parsePhcString(stored);
    expect(parsed && hasParameters(parsed, parameters)).toBe(true);
  });

  it('that serves as a decoy has the wanted parameters and differs each time', () => {
    const parsed = parsePhcString(decoyPhcString(parameters));
    expect(parsed && hasParameters(parsed, parameters)).toBe(true);
    expect(decoyPhcString(parameters)).not.toBe(decoyPhcString(parameters));
  });
});
