import { describe, expect, it } from 'vitest';
import { bytesOfBase64url } from './base64url.js';

describe('text in base64url', () => {
  it.each(['', 'AA', 'AAE', 'AAEC', '-_-_'])('"%s" becomes its bytes', (text) => {
    expect(bytesOfBase64url(text)?.toString('base64url')).toBe(text);
  });

  it.each([
    ['a trailing character', 'AAECx'],
    ['padding', 'AA=='],
    ['the other alphabet', '+/+/'],
    ['stray bits', 'AB'],
    ['a space', 'AA EC'],
    ['a line break', 'AAEC\n'],
    ['another character', 'AAEC!'],
  ])('text with %s is none', (_what, text) => {
    expect(bytesOfBase64url(text)).toBeUndefined();
  });
});
