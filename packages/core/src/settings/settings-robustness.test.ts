import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.js';
import { settingDefinitions } from './setting-definitions.js';
import { SettingsError } from './setting-fault.js';

const MARKER = 'Tr0ub4dor';

/** Texts that lead readers astray more often than random ones do. */
const tricky = fc.constantFrom(
  'true',
  'postgres://a:b@c,d:e/f',
  'redis+sentinel://a,b',
  'https://[::1',
  'https://a b',
  '[{"id":{}}]',
  '[null]',
  '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
  '-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----',
  '::/0',
  'android:',
  ',,',
  '\0',
  '\ud800',
);
const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), tricky);
const anyName = fc.constantFrom(...settingDefinitions.map(({ name }) => name));
const anySource = fc.dictionary(
  fc.oneof(
    anyName,
    anyName.map((name) => `${name}_FILE`),
  ),
  anyText,
  { maxKeys: 12 },
);

/** A secret in the shapes in which it may be mistyped. */
const markedText = fc
  .tuple(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }))
  .chain(([before, after]) =>
    fc.constantFrom(
      `${before}${MARKER}${after}`,
      `${MARKER},${MARKER},${MARKER}`,
      `mysql://user:${before}${MARKER}@host/db`,
      `postgres://user:${MARKER}/${after}@host:x/db`,
      `redis://user:${MARKER}@host:port`,
      `[{"id":"${MARKER} ","secretHashes":["${MARKER}"],"${MARKER}":1}]`,
      `{"${MARKER}":`,
      `-----BEGIN PRIVATE KEY-----\n${MARKER}\n-----END PRIVATE KEY-----`,
      `-----BEGIN ${MARKER} KEY-----\n${before}\n-----END ${MARKER} KEY-----`,
    ),
  );
const secretNames = settingDefinitions.filter(({ secret }) => secret).map(({ name }) => name);
const secretSource = fc.dictionary(fc.constantFrom(...secretNames), markedText, { minKeys: 1 });

function faultMessage(source: Record<string, string>): string {
  try {
    readSettings(source);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return error instanceof SettingsError ? error.message + JSON.stringify(error.faults) : '';
  }
}

describe('arbitrary settings', () => {
  it('are either accepted or rejected with a SettingsError', () => {
    fc.assert(
      fc.property(anySource, (source) => void faultMessage(source)),
      { numRuns: 500 },
    );
  });

  it('never put a secret into the message', () => {
    fc.assert(
      fc.property(secretSource, (source) => {
        expect(faultMessage({ APP_ENV: 'production', ...source })).not.toContain(MARKER);
      }),
      { numRuns: 300 },
    );
  });

  it('never put a secret into the message when it is given in place of its path', () => {
    fc.assert(
      fc.property(fc.constantFrom(...secretNames), (name) => {
        const source = { [`${name}_FILE`]: `postgres://user:${MARKER}@host/db` };
        const message = faultMessage(source);
        expect(message).toContain(name);
        expect(message).not.toContain(MARKER);
      }),
    );
  });
});
