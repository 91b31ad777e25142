import { z } from 'zod';
import { readJsonText } from './json-text.js';
import { type SettingKind, kindOf, Problem, readList } from './setting-kind.js';

/** One secret, or two during a rotation, each of at least `leastLength` characters that an HTTP header can contain. */
export function secretPair(leastLength: number): SettingKind<string[]> {
  const expected = `one value, or two separated by a comma, each of at least ${leastLength} printable ASCII characters`;
  return kindOf(expected, (text) => {
    const secrets = readList(text, (part) => weaknessOf(part, leastLength) ?? part);
    if (secrets instanceof Problem) return secrets;
    return secrets.length > 2 ? new Problem('more than two values') : secrets;
  });
}

function weaknessOf(secret: string, leastLength: number): Problem | undefined {
  if (secret.length < leastLength) return new Problem('too short');
  return /^[\x20-\x7e]+$/.test(secret) ? undefined : new Problem('contains other characters');
}

const word = (message: string, pattern: RegExp) =>
  z.string({ error: message }).regex(pattern, { error: message });

const CLIENT_FIELDS = {
  id: word('must be 1 to 100 letters, digits, or . _ : -', /^[A-Za-z0-9._:-]{1,100}$/),
  secretHashes: z
    .array(
      word('must be sha256: and 64 hexadecimal digits', /^sha256:[0-9a-f]{64}$/i).transform((hash) =>
        hash.slice('sha256:'.length).toLowerCase(),
      ),
      { error: 'must be a list' },
    )
    .min(1, { error: 'must contain one or two digests' })
    .max(2, { error: 'must contain one or two digests' }),
  audiences: z
    .array(word('must be text', /\S/), { error: 'must be a list' })
    .min(1, { error: 'must name an audience' }),
  // RFC 6749, section 3.3: the characters of a scope.
  scopes: z.array(word('must be text without spaces', /^[\x21\x23-\x5b\x5d-\x7e]+$/), {
    error: 'must be a list',
  }),
};

const clientSchema = z.strictObject(CLIENT_FIELDS, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `has a field that is unknown (there are ${Object.keys(CLIENT_FIELDS).join(', ')})`
      : 'must be an object',
});

const clientListSchema = z.array(clientSchema, { error: 'must be a list of clients' });

/** The services that may request service tokens. */
export const serviceClients: SettingKind<z.output<typeof clientListSchema>> = kindOf(
  'JSON such as [{"id":"billing","secretHashes":["sha256:…"],"audiences":["latchkey"],"scopes":["internal:read"]}]',
  (text) => {
    const parsed = readJsonText(text);
    if (parsed instanceof Problem) return parsed;
    const result = clientListSchema.safeParse(parsed);
    if (!result.success) return new Problem(result.error.issues.slice(0, 5).map(wordsOf).join('; '));
    const ids = new Set(result.data.map((client) => client.id));
    return ids.size === result.data.length ? result.data : new Problem('two clients share an id');
  },
);

/** Paths contain only field names of the schema and indexes, never the given text. */
function wordsOf(issue: z.core.$ZodIssue): string {
  const [client, ...rest] = issue.path;
  const where = typeof client === 'number' ? [`client ${client + 1}`, ...rest.map(labelOf)] : ['the text'];
  return `${where.join(' ')} ${issue.message}`;
}

function labelOf(part: PropertyKey): string {
  return typeof part === 'number' ? `entry ${part + 1}` : String(part);
}
