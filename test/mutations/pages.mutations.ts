import type { Mutation } from './mutation.js';

export const pageMutations: readonly Mutation[] = [
  {
    promise: 'The console offers and can do only what the role of the signed-in user allows.',
    defect: 'the console offers moderators to change users',
    file: 'packages/pages/src/browser/console/rights.ts',
    from: "const MODERATOR: readonly Action[] = ['read', 'approve'];",
    to: "const MODERATOR: readonly Action[] = ['read', 'approve', 'edit'];",
  },
  {
    promise: 'The console has nothing inline, loads nothing from other hosts and makes no markup by scripts.',
    defect: 'the console has an inline style',
    file: 'packages/pages/src/page-frame.ts',
    from: '<main class="outside">',
    to: '<style>p{margin:0}</style><main class="outside">',
  },
  {
    promise:
      'A page runs only its own script, loads nothing from other hosts, cannot be framed and is not cached.',
    defect: 'inline scripts run',
    file: 'packages/pages/src/page-response.ts',
    from: "`script-src 'nonce-${nonce}'`",
    to: "`script-src 'unsafe-inline'`",
  },
  {
    promise:
      'Text from an address or a setting is shown as text in a page. Tokens appear neither in pages nor in the log.',
    defect: 'quotes are not escaped',
    file: 'packages/pages/src/markup.ts',
    from: 'text.replace(/[&<>"\']/g',
    to: 'text.replace(/[&]/g',
  },
  {
    promise: 'Opening a mailed link changes nothing, however often.',
    defect: 'opening a page writes a row',
    file: 'packages/pages/src/auth-pages.ts',
    from: '    return pageResponse(kit, content,',
    to: "      void auth.audit.insert({ event: 'cleanup', outcome: 'success', actor: { kind: 'anonymous' }, client: { ipAddress: null, userAgent: null, deviceName: null, requestId: null } });\n    return pageResponse(kit, content,",
  },
  {
    promise:
      'A page redirects only to its own host or below `WEB_APP_URL`. The redirect to HTTPS uses the configured host.',
    defect: 'two leading slashes lead elsewhere',
    file: 'packages/pages/src/return-to.ts',
    from: "url?.origin !== new URL(baseUrl).origin || url.pathname.startsWith('//')",
    to: 'url === undefined',
  },
  {
    promise: 'A company name cannot add a link to a mail or page.',
    defect: 'any text is the name of a company',
    file: 'packages/core/src/invitations/invitation.ts',
    from: "typeof name === 'string' && isPlainName(name) ? name",
    to: "typeof name === 'string' ? name",
  },
];
