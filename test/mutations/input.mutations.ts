import type { Mutation } from './mutation.js';

const FORMATS =
  'What is stored and read does not depend on formats that the server, the database or the account is set to, and a database that cannot store every character is rejected.';
const CODE_POINTS =
  'Lengths are counted in code points: no text is cut inside a character, and none is longer or shorter for its encoding.';
const PORTS =
  'A port that a proxy forwards with an address gives a client no fresh count, and hides neither the client nor a trusted proxy.';

export const inputMutations: readonly Mutation[] = [
  {
    promise: FORMATS,
    defect: 'sessions have the date style of the database',
    file: 'packages/core/src/storage/client-config.ts',
    from: "DateStyle: 'ISO', ",
    to: '',
  },
  {
    promise: FORMATS,
    defect: 'sessions have the time zone of the database',
    file: 'packages/core/src/storage/client-config.ts',
    from: "TimeZone: 'UTC', ",
    to: '',
  },
  {
    promise: FORMATS,
    defect: 'bytes have the form that the database is set to',
    file: 'packages/core/src/storage/client-config.ts',
    from: "bytea_output: 'hex', ",
    to: '',
  },
  {
    promise: FORMATS,
    defect: 'a database of any encoding is accepted',
    file: 'packages/core/src/storage/database-fitness.ts',
    from: "if (encoding === 'UTF8') return;",
    to: "if (encoding !== '') return;",
  },
  {
    promise: CODE_POINTS,
    defect: 'names are cut between UTF-16 units',
    file: 'packages/operations/src/user-import/formats/profile-text.ts',
    from: "return Array.from(text).slice(0, most).join('').trim();",
    to: 'return text.slice(0, most).trim();',
  },
  {
    promise: CODE_POINTS,
    defect: 'the length of a password is that of its UTF-16 units',
    file: 'packages/core/src/passwords/password-policy.ts',
    from: 'Array.from(normalized).length;',
    to: 'normalized.length;',
  },
  {
    promise: PORTS,
    defect: 'an address with a port is none',
    file: 'packages/http/src/exchange/forwarded-for.ts',
    from: "address.replace(IPV4_AND_PORT, '$1')",
    to: 'address',
  },
  {
    promise: PORTS,
    defect: 'a trusted proxy with a port passes for the client',
    file: 'packages/http/src/node/node-host.ts',
    from: "'x-forwarded-for': withoutPorts(forwardedFor) }",
    to: "'x-forwarded-for': withoutPorts(forwardedFor) && forwardedFor }",
  },
  {
    promise:
      'Malformed JSON, other encodings, invalid text and oversized bodies are rejected in the error envelope.',
    defect: 'bytes that are not UTF-8 are read as other characters',
    file: 'packages/http/src/routing/json-body.ts',
    from: 'if (!isUtf8(bytes)) throw',
    to: 'if (!isUtf8(bytes) && bytes.length === 0) throw',
  },
  {
    promise:
      'Malformed JSON, other encodings, invalid text and oversized bodies are rejected in the error envelope.',
    defect: 'half a surrogate pair is text',
    file: 'packages/core/src/kernel/text.ts',
    from: "return !text.includes('\\0') && text.isWellFormed();",
    to: "return !text.includes('\\0');",
  },
  {
    promise:
      'Malformed JSON, other encodings, invalid text and oversized bodies are rejected in the error envelope.',
    defect: 'text of a body is not checked',
    file: 'packages/http/src/routing/json-body.ts',
    from: 'return checkInput(anyJson, body);',
    to: 'return body;',
  },
  {
    promise: 'Wildcards, quotes and SQL in a search are treated as text.',
    defect: 'wildcards of a search are not escaped',
    file: 'packages/core/src/storage/escape-like.ts',
    from: "text.replace(/[\\\\%_]/g, '\\\\$&')",
    to: 'text.trimEnd()',
  },
  {
    promise: 'No error discloses internals.',
    defect: 'the message of an unforeseen error is passed on',
    file: 'packages/http/src/routing/error-response.ts',
    from: "'Something went wrong on our side.', { cause: thrown }",
    to: 'String(thrown), { cause: thrown }',
  },
  {
    promise: 'Input cannot add a recipient or header to a mail. Mails contain only our own links.',
    defect: 'control characters stay in a line',
    file: 'packages/core/src/mail/messages/plain-text.ts',
    from: "text.replace(UNSAFE_IN_LINE, ' ').trim()",
    to: 'text.trim()',
  },
  {
    promise: 'Links in mails use the configured address, whatever host a request names.',
    defect: 'links lead to an address of their own',
    file: 'packages/core/src/invitations/invitation-link-source.ts',
    from: '`${this.#baseUrl}/accept-invitation',
    to: '`http://127.0.0.1/accept-invitation',
  },
  {
    promise: 'The value of a secret setting never appears in a message about settings.',
    defect: 'a faulty secret is quoted',
    file: 'packages/core/src/settings/shown-setting.ts',
    from: 'definition.secret ? HIDDEN : quote(given.text)',
    to: 'quote(given.text)',
  },
  {
    promise: 'The development inbox is available on its own machine only, and shows user input as text.',
    defect: 'a forwarded request reads the inbox',
    file: 'packages/pages/src/local-only.ts',
    from: 'return !isForwarded && isLoopback',
    to: 'return (isForwarded || true) && isLoopback',
  },
];
