// Generated from docs/openapi.json by `npm run docs`.

/** Paths whose routes, and those below them, need no session. */
export const PUBLIC_PATHS: readonly string[] = [
  '/.well-known',
  '/auth/acting',
  '/auth/email/change/confirm',
  '/auth/email/change/preview',
  '/auth/email/change/undo',
  '/auth/email/verify',
  '/auth/external/backchannel-logout',
  '/auth/handoff/exchange',
  '/auth/invitations/preview',
  '/auth/login',
  '/auth/logout',
  '/auth/me/deletion',
  '/auth/passkeys/login',
  '/auth/password-reset',
  '/auth/pictures',
  '/auth/refresh',
  '/auth/register',
  '/auth/service-token',
  '/health',
  '/ready',
];
