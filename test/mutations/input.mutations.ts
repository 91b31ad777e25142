import type { Mutation } from './mutation.js';

export const inputMutations: readonly Mutation[] = [
  {
    promise: 'Malformed JSON, other encodings, broken text and oversized bodies are refused in the envelope.',
    defect: 'text of a body is not checked',
    file: 'packages/express-adapter/src/http/json-body.ts',
    from: 'return checkInput(anyJson, body);',
    to: 'return body;',
  },
  {
    promise: 'Wildcards, quotes and SQL in a search are text.',
    defect: 'wildcards of a search are not escaped',
    file: 'packages/core/src/users/user-repository.ts',
    from: "text.replace(/[\\\\%_]/g, '\\\\$&')",
    to: 'text.trimEnd()',
  },
  {
    promise: 'No error tells anything of the inside.',
    defect: 'the message of an unforeseen error is passed on',
    file: 'packages/express-adapter/src/http/error-response.ts',
    from: "'Something went wrong on our side.', { cause: thrown }",
    to: 'String(thrown), { cause: thrown }',
  },
  {
    promise: 'A mail cannot be made to name a second recipient or header, and shows links of ours only.',
    defect: 'control characters stay in a line',
    file: 'packages/core/src/mail/messages/plain-text.ts',
    from: "text.replace(UNSAFE_IN_LINE, ' ').trim()",
    to: 'text.trim()',
  },
  {
    promise: 'Links in mails lead to the configured address, whatever a request says of its host.',
    defect: 'links lead to an address of their own',
    file: 'packages/core/src/invitations/invitation-link-source.ts',
    from: '`${this.#baseUrl}/accept-invitation',
    to: '`http://127.0.0.1/accept-invitation',
  },
  {
    promise: 'A secret setting never shows in a message about settings.',
    defect: 'a faulty secret is quoted',
    file: 'packages/core/src/settings/shown-setting.ts',
    from: 'definition.secret ? HIDDEN : quote(given.text)',
    to: 'quote(given.text)',
  },
  {
    promise: 'The development inbox is for people at that machine, and takes what others typed as text.',
    defect: 'a forwarded request reads the inbox',
    file: 'packages/express-adapter/src/pages/local-only.ts',
    from: 'return !isForwarded && isLoopback',
    to: 'return (isForwarded || true) && isLoopback',
  },
];
