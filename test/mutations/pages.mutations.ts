import type { Mutation } from './mutation.js';

export const pageMutations: readonly Mutation[] = [
  {
    promise:
      'A page runs its own script and no other, loads nothing from elsewhere, is not framed and not kept.',
    defect: 'inline scripts run',
    file: 'packages/express-adapter/src/pages/send-page.ts',
    from: "`script-src 'nonce-${nonce}'`",
    to: "`script-src 'unsafe-inline'`",
  },
  {
    promise:
      'Whatever stands in an address or a setting is text in a page; tokens do not appear in it, nor in the log.',
    defect: 'quotes are not escaped',
    file: 'packages/express-adapter/src/pages/markup.ts',
    from: 'text.replace(/[&<>"\']/g',
    to: 'text.replace(/[&]/g',
  },
  {
    promise: 'Opening a link of a mail changes nothing, however often.',
    defect: 'opening a page writes a row',
    file: 'packages/express-adapter/src/pages/auth-pages.ts',
    from: '      sendPage(kit, contentFor',
    to: "      void auth.audit.insert({ event: 'cleanup', outcome: 'success', actor: { kind: 'anonymous' }, client: { ipAddress: null, userAgent: null, deviceName: null, requestId: null } });\n      sendPage(kit, contentFor",
  },
  {
    promise:
      'A page sends people to its own host or below `WEB_APP_URL`, nowhere else; HTTPS leads to the configured host.',
    defect: 'two leading slashes lead elsewhere',
    file: 'packages/express-adapter/src/pages/return-to.ts',
    from: "url?.origin !== new URL(baseUrl).origin || url.pathname.startsWith('//')",
    to: 'url === undefined',
  },
  {
    promise: 'The name of a company cannot smuggle a link into a mail or page.',
    defect: 'any text is the name of a company',
    file: 'packages/core/src/invitations/invitation.ts',
    from: "typeof name === 'string' && isPlainName(name) ? name",
    to: "typeof name === 'string' ? name",
  },
];
