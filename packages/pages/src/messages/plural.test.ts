import { expect, it } from 'vitest';
import { failureMessages as german } from './de/failures.js';
import { failureMessages as english } from './en/failures.js';
import { pluralIn } from './plural.js';

it.each([
  [0, 'Please wait a moment and try again.', 'Bitte warten Sie einen Moment und versuchen Sie es erneut.'],
  [1, 'Please wait a second and try again.', 'Bitte warten Sie eine Sekunde und versuchen Sie es erneut.'],
  [89, 'Please wait 89 seconds and try again.', 'Bitte warten Sie 89 Sekunden und versuchen Sie es erneut.'],
  [90, 'Please wait 2 minutes and try again.', 'Bitte warten Sie 2 Minuten und versuchen Sie es erneut.'],
])('%d seconds are in words in each language', (seconds, inEnglish, inGerman) => {
  expect([english.wait(seconds), german.wait(seconds)]).toEqual([inEnglish, inGerman]);
});

it('a number chooses the form of its category, and the general form where a language has more categories', () => {
  const arabic = pluralIn('ar');
  expect(arabic(2, { two: 'two', other: 'other' })).toBe('two');
  expect(arabic(3, { two: 'two', other: 'other' })).toBe('other');
  expect(pluralIn('de')(1234, { other: '{n} Sekunden' })).toBe('1.234 Sekunden');
});
