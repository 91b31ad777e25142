import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml, oneLine, wrap } from './plain-text.js';

describe('oneLine', () => {
  it('oneLine replaces line breaks and other controls by one space', () => {
    expect(oneLine('Ada\r\nBcc: eve@example.com\0\u2028x')).toBe('Ada Bcc: eve@example.com x');
  });

  it('oneLine removes the marks that reverse text', () => {
    expect(oneLine('Ada\u202Egnp.exe\u2066')).toBe('Ada gnp.exe');
  });

  it('oneLine leaves other text unchanged', () => {
    const names = ['Zoë Ångström', '<b>x</b>', '{{7*7}}', '%s%n', '👩🏽‍🚀', '李 小龍', 'نور'];
    expect(names.map(oneLine)).toEqual(names);
  });

  it('oneLine leaves no control character in any text', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(fc.property(anyText, (text) => !/[\p{Cc}\u2028\u2029]/u.test(oneLine(text))));
  });
});

describe('escapeHtml', () => {
  it('escapeHtml leaves no character that could open a tag or an entity, or end an attribute', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    );
  });
});

describe('wrap', () => {
  it('wrap keeps lines within 72 characters', () => {
    const lines = wrap('word '.repeat(50).trim()).split('\n');
    expect(lines.length).toBe(4);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(72);
  });

  it('wrap never breaks a long word', () => {
    const word = 'x'.repeat(200);
    expect(wrap(`before ${word} after`)).toBe(`before\n${word}\nafter`);
  });

  it('wrap only replaces spaces by line breaks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), (words) => {
        const text = oneLine(words.join(' '));
        return wrap(text).replaceAll('\n', ' ') === text;
      }),
    );
  });
});
