import type { Mutation } from './mutation.js';

const CORE = 'packages/core/src';

/** About what lies around the service: who runs it, who embeds it, who registers and who looks at its output. */
export const aroundMutations: readonly Mutation[] = [
  {
    promise: 'A process that only guards routes holds no signing key and needs no write access.',
    defect: 'a process that only guards offers the repositories',
    file: `${CORE}/compose/open-verifying-auth.ts`,
    from: `    audit: {\n      insert: ({ event`,
    to: `    ...{ repositories },\n    audit: {\n      insert: ({ event`,
  },
  {
    promise: 'All sessions of all users can be revoked at once, with one audit entry per user.',
    defect: 'the row of the audit log does not say why everyone was signed out',
    file: `${CORE}/admin/everyone.ts`,
    from: 'details: { everyone: true, why }',
    to: "details: { everyone: true, why: '' }",
  },
  {
    promise:
      'In production a new password is not a common word, a name or email with additions, a repetition or a sequence.',
    defect: 'a sequence is none',
    file: `${CORE}/passwords/guessable-password.ts`,
    from: '    rest = rest.slice(length);\n  }\n  return true;',
    to: '    rest = rest.slice(length);\n  }\n  return false;',
  },
  {
    promise: 'Attempts are counted in process memory only while the process is the only one on its database.',
    defect: 'a second process takes the lease of the first',
    file: `${CORE}/storage/store-lease-repository.ts`,
    from: 'held.renewed_at < now() - make_interval',
    to: 'held.renewed_at < now() + make_interval',
  },
  {
    promise: 'A registration that needed no approval verifies no mailbox.',
    defect: 'registering proves the mailbox',
    file: `${CORE}/login/registration-service.ts`,
    from: 'isEmailVerified: false',
    to: 'isEmailVerified: true',
  },
  {
    promise: 'Names cannot carry control characters or line breaks to a terminal, log or page.',
    defect: 'control characters pass in names',
    file: `${CORE}/kernel/name-input.ts`,
    from: String.raw`/[\p{Cc}\u2028`,
    to: String.raw`/[\u2028`,
  },
  {
    promise: 'Registrations send each approver at most one mail an hour.',
    defect: 'the next notice to those who approve is due at once',
    file: `${CORE}/login/approval-notice-repository.ts`,
    from: "n.due_at + interval '1 hour'",
    to: "n.due_at + interval '0 hours'",
  },
  {
    promise:
      'Logs, reports and errors contain no secret setting, however settings, `auth` or the router are inspected.',
    defect: 'a secret is shown in JSON',
    file: `${CORE}/settings/secret.ts`,
    from: 'toJSON(): string {\n    return SHOWN;',
    to: 'toJSON(): unknown {\n    return this.#value;',
  },
  {
    promise: 'In production an operator changes nothing until the audit log can name them.',
    defect: 'a shared account need not name its user',
    file: 'packages/cli/src/runtime/operator.ts',
    from: "settings.environment === 'production' ? sharedAccount",
    to: "settings.environment === 'test' ? sharedAccount",
  },
  {
    promise: 'The access log contains no query, header or body.',
    defect: 'the access log holds queries',
    file: 'packages/http/src/node/access-log.ts',
    from: 'request.mountPath + request.path;',
    to: '`${request.mountPath}${request.path}?${request.query}`;',
  },
  {
    promise: 'The HTML of a mail has no privileges in the development inbox.',
    defect: 'scripts of a mail run in the development inbox',
    file: 'packages/pages/src/dev-mail.ts',
    from: "'sandbox allow-popups allow-popups-to-escape-sandbox'",
    to: "'sandbox allow-scripts allow-same-origin'",
  },
  {
    promise: 'Opening a link never approves a password that a stranger chose.',
    defect: 'any password approves a registration and stays what it was',
    file: `${CORE}/email-verification/email-verification-service.ts`,
    from: 'else if (await this.#isCurrent(found.user.id, password, bucket)) await',
    to: "else if ((await this.#isCurrent(found.user.id, password, bucket)) || password !== '') await",
  },
  {
    promise: 'A registration link works once.',
    defect: 'a used link of a registration is usable',
    file: `${CORE}/users/email-verification-repository.ts`,
    from: '.where({ id, ...digest, used_at: null, revoked_at: null })',
    to: '.where({ id, ...digest })',
  },
  {
    promise:
      'Staff can override a registration link at any time. The link has no effect on users with a platform role.',
    defect: 'the link of a registration lets in staff',
    file: `${CORE}/email-verification/mailbox-proof.ts`,
    from: "|| user.globalRole !== 'NONE') return undefined;",
    to: "|| (user.globalRole !== 'NONE' && user.approvalStatus === 'PENDING')) return undefined;",
  },
];
