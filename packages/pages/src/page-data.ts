import type { Auth } from '@latchkey/core';

/** Returns the data for every script, as `data-` attributes. */
export function commonData({ settings }: Auth): Record<string, string> {
  return {
    'cookie-mode': String(settings.http.cookieMode),
    'web-app': settings.http.webAppUrl ?? '',
  };
}

/** Returns the data for scripts of pages on which a password is chosen. */
export function passwordData(auth: Auth): Record<string, string> {
  const { environment, passwords } = auth.settings;
  return {
    ...commonData(auth),
    'min-password-length': String(passwords.minLength),
    'allows-common-here': String(!passwords.blocklist && environment !== 'production'),
  };
}

/** Returns the data for scripts of pages for signed-in users: they ask for a fresh sign-in too. */
export function appData(auth: Auth): Record<string, string> {
  const { apiKeys } = auth.settings;
  return {
    ...commonData(auth),
    passkeys: String(offersPasskeys(auth)),
    'second-factor': String(auth.factors !== undefined),
    'has-console': String(auth.settings.console.enabled),
    'api-keys': apiKeys.mode,
    'api-key-lifetime': String(apiKeys.defaultLifetime),
    'api-key-max-lifetime': String(apiKeys.maxLifetime ?? ''),
    webhooks: auth.facts.webhooks,
    ...(auth.trustedDevices && { 'trusted-devices': 'true' }),
    ...(auth.profilePictures && { pictures: 'true' }),
    ...(auth.mailedSignIn && { 'mailed-sign-in': 'true' }),
    ...externalData(auth),
  };
}

/** Returns the services by which users sign in. Without any, pages have no data about them. */
export function externalData({ settings: { external } }: Auth): Record<string, string> {
  const providers = external.providers?.reveal() ?? [];
  if (providers.length === 0) return {};
  const shown = providers.map(({ id, type, label, reauthenticates }) => ({
    id,
    type,
    label,
    reauthenticates,
  }));
  return { external: JSON.stringify(shown) };
}

/** Reports whether the pages offer passkeys: browsers reject them if the origin of the page is not configured. */
function offersPasskeys({ settings: { passkeys, http } }: Auth): boolean {
  return passkeys.enabled && passkeys.origins.includes(new URL(http.baseUrl).origin);
}
