import type { Mutation } from './mutation.js';

export const inputMutations: readonly Mutation[] = [
  {
    promise:
      'Malformed JSON, other encodings, invalid text and oversized bodies are rejected in the error envelope.',
    defect: 'text of a body is not checked',
    file: 'packages/express-adapter/src/http/json-body.ts',
    from: 'return checkInput(anyJson, body);',
    to: 'return body;',
  },
  {
    promise: 'Wildcards, quotes and SQL in a search are treated as text.',
    defect: 'wildcards of a search are not escaped',
    file: 'packages/core/src/users/user-queries.ts',
    from: "text.replace(/[\\\\%_]/g, '\\\\$&')",
    to: 'text.trimEnd()',
  },
  {
    promise: 'No error discloses internals.',
    defect: 'the message of an unforeseen error is passed on',
    file: 'packages/express-adapter/src/http/error-response.ts',
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
    file: 'packages/express-adapter/src/pages/local-only.ts',
    from: 'return !isForwarded && isLoopback',
    to: 'return (isForwarded || true) && isLoopback',
  },
];
