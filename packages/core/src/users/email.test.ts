import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalEmail } from './email.js';

describe('the canonical form of an email', () => {
  it.each([
    ['Ada.Lovelace@Example.COM', 'ada.lovelace@example.com'],
    ['  ada@example.com\r\n', 'ada@example.com'],
    ['ada@münchen.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@MÜNCHEN.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@xn--mnchen-3ya.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@bücher。example', 'ada@xn--bcher-kva.example'],
    ["o'brien+news@mail.example.co.uk", "o'brien+news@mail.example.co.uk"],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('the canonical form of %j is %j', (text, canonical) => {
    expect(canonicalEmail(text)).toBe(canonical);
  });

  it('dots and plus signs stay, because they may name different mailboxes', () => {
    const spellings = ['ada.l@example.com', 'adal@example.com', 'adal+x@example.com'];
    expect(new Set(spellings.map(canonicalEmail)).size).toBe(3);
  });
});

describe('what is no email', () => {
  it.each([
    '',
    ' ',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@example.c',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa_mple.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    '"ada l"@example.com',
    'ada l@example.com',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@1.2.3.44',
    'ada@0x7f000010',
    'ädä@example.com',
    'İ@example.com',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada\r\n@example.com',
    'ada\0@example.com',
    'ada@exam\0ple.com',
    'ada@\ud800.com',
    'Ada <ada@example.com>',
    'ada@example.com,eve@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'b'.repeat(64)}.com`,
    `ada@${'b.'.repeat(124)}com`,
  ])('%j is not an email', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });

  it.each(['/path', '?query', '#part', ':25', '\\x', '%2f', '／path', '？query'])(
    'a domain followed by %j is not cut short',
    (rest) => {
      expect(canonicalEmail(`ada@example.com${rest}`)).toBeUndefined();
    },
  );

  it('a domain in percent encoding is not decoded', () => {
    expect(canonicalEmail('ada@ex%61mple.com')).toBeUndefined();
  });
});

it('a canonical email is its own canonical form, in lower-case ASCII without spaces', () => {
  const typed = fc.string({
    unit: fc.constantFrom(...Array.from('aZ9.+_-ßéKİ\u3002 ')),
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(typed, typed, (local, domain) => {
      const canonical = canonicalEmail(`${local}@${domain}.com`);
      if (canonical === undefined) return;
      expect(canonicalEmail(canonical)).toBe(canonical);
      expect(canonical).toMatch(/^[!-~]{3,254}$/);
      expect(canonical).toBe(canonical.toLowerCase());
    }),
    { numRuns: 1000 },
  );
});
