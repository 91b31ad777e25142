import type { Auth } from '@latchkey/core';

/** What every script is told, as `data-` attributes. */
export function commonData({ settings }: Auth): Record<string, string> {
  return {
    'cookie-mode': String(settings.http.cookieMode),
    'web-app': settings.http.webAppUrl ?? '',
  };
}

/** Browsers refuse passkeys on a page whose origin is not among the configured ones. */
export function offersPasskeys({ settings: { passkeys, http } }: Auth): boolean {
  return passkeys.enabled && passkeys.origins.includes(new URL(http.baseUrl).origin);
}
