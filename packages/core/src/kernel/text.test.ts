import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUncleanText, isCleanText } from './text.js';

describe('clean text', () => {
  it.each(['', ' ', '\ufeff', '\u202e\u200b', '👩‍💻', '\\u0000', '\n\t\u0001', '\u{10ffff}', '\ufffd'])(
    'the text %j is clean',
    (text) => {
      expect(isCleanText(text)).toBe(true);
    },
  );

  it.each(['\0', 'a\0b', '\ud83d', '\udc00\ud800', 'a\udfff'])('the text %j is not clean', (text) => {
    expect(isCleanText(text)).toBe(false);
  });

  it('clean text is exactly what UTF-8 carries unchanged, without NUL', () => {
    const codeUnit = fc.oneof(fc.constantFrom(0, 0x61), fc.integer({ min: 0xd7f0, max: 0xe00f }));
    fc.assert(
      fc.property(fc.array(codeUnit, { maxLength: 6 }), (units) => {
        const text = String.fromCharCode(...units);
        const survives = Buffer.from(text, 'utf8').toString('utf8') === text;
        expect(isCleanText(text)).toBe(survives && !text.includes('\0'));
      }),
      { numRuns: 1000 },
    );
  });
});

const nested = (depth: number): unknown =>
  JSON.parse(`${'{"a":'.repeat(depth)}"end"${'}'.repeat(depth)}`) as unknown;

describe('the unclean text in a value', () => {
  it.each([
    [{ name: 'a\0' }, 'name: contains a NUL or an unpaired surrogate'],
    [{ a: { b: ['ok', '\ud800'] } }, 'a.b.1: contains a NUL or an unpaired surrogate'],
    [{ a: { 'b\0': 1 } }, 'a: a field name contains a NUL or an unpaired surrogate'],
    [{ '\udc00': 1 }, 'body: a field name contains a NUL or an unpaired surrogate'],
  ])('the unclean text in %j is reported with its position', (value, fault) => {
    expect(findUncleanText(value)).toBe(fault);
  });

  it.each([[{}], [[]], [null], [undefined], [1], [true], [{ a: [{ b: 'c' }, null, 1.5] }]])(
    'no unclean text is found in %j',
    (value) => {
      expect(findUncleanText(value)).toBeUndefined();
    },
  );

  it('a key named __proto__ is checked like any other', () => {
    expect(findUncleanText(JSON.parse('{"__proto__":{"x":"\\u0000"}}'))).toContain('__proto__.x');
  });

  it('thirty-two levels are accepted, the next one is rejected', () => {
    expect(findUncleanText(nested(32))).toBeUndefined();
    expect(findUncleanText(nested(33))).toContain('nested deeper than 32 levels');
  });

  it('ten thousand levels do not exhaust the stack', () => {
    expect(findUncleanText(nested(10_000))).toContain('nested deeper');
  });
});
