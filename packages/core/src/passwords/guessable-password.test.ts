import { expect, it } from 'vitest';
import { isRepetition, isSequence, plainFormsOf } from './guessable-password.js';

it.each(['aaaaaaaa', '11111111', 'abababab', 'abcabcabc', 'abcdabcd', '🔑🔑🔑🔑🔑🔑🔑🔑'])(
  '%s is a repetition',
  (text) => {
    expect(isRepetition(text)).toBe(true);
  },
);

it.each(['aaaaaaab', 'correctcorrect', 'abcdefgh', 'banana split'])('%s is no repetition', (text) => {
  expect(isRepetition(text)).toBe(false);
});

it.each([
  'abcdefgh',
  'hgfedcba',
  '12345678',
  '987654321',
  'qwertyuiop',
  'asdfghjkl',
  'qwertz123',
  'abcd1234',
])('%s is a sequence', (text) => {
  expect(isSequence(text)).toBe(true);
});

it.each(['abcdefgx', 'qwerty horse', '19842001', 'zebra123', 'aabbccdd'])('%s is no sequence', (text) => {
  expect(isSequence(text)).toBe(false);
});

it.each([
  ['welcome1!', 'welcome'],
  ['summer2024', 'summer'],
  ['!!jane.doe42', 'jane.doe'],
  ['annann', 'ann'],
  ['ann7ann7', 'ann'],
])('%s is a variation of %s', (text, plain) => {
  expect(plainFormsOf(text)).toContain(plain);
});

it('a word with more digits than letters is not reduced to the word', () => {
  expect(plainFormsOf('dog48291745')).toEqual(['dog48291745']);
});

it.each(['a'.repeat(256), 'ab'.repeat(128), `${'1'.repeat(255)}a`, 'a1'.repeat(127) + 'b!'])(
  'a long password is checked in little time',
  (text) => {
    const before = process.cpuUsage();
    for (let round = 0; round < 100; round += 1) {
      isRepetition(text);
      isSequence(text);
      plainFormsOf(text);
    }
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(1_000_000);
  },
);
