import type { Settings } from '@latchkey/core/internal/settings/settings';
import { check, error, ok, skipped, warning, type Check } from '../check.js';
import { isProduction } from '../environment.js';
import { isLocalAddress } from '../local-address.js';

const isHttps = (url: string): boolean => url.startsWith('https://');

export const addressChecks: readonly Check[] = [
  check({
    id: 'address.public',
    group: 'Addresses',
    title: 'AUTH_BASE_URL is the public address, with https',
    why: 'It is the issuer of tokens and the start of links in mails: with http, links and cookies can be read on the way.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const { baseUrl } = settings.http;
      if (!isProduction(settings)) return skipped(`${baseUrl}; checked in production only`);
      if (isLocalAddress(baseUrl))
        return error(`${baseUrl} cannot be reached from other machines`, FIX_BASE_URL);
      // Production settings with plain http are rejected at the start.
      return ok(baseUrl);
    },
  }),
  check({
    id: 'address.proxy',
    group: 'Addresses',
    title: 'The proxy in front is known',
    why:
      'The service itself speaks http, so a proxy in front of it ends TLS. Without TRUST_PROXY all callers share the ' +
      "proxy's address, and the limits with it, and pages that are forced to https redirect endlessly.",
    needs: ['settings'],
    judge: ({ settings: { http } }) => {
      if (http.trustProxy !== undefined) return ok(`TRUST_PROXY is ${String(http.trustProxy)}`);
      if (!isHttps(http.baseUrl)) return ok('none, as with plain http');
      const judged = http.forceHttps ? error : warning;
      return judged(
        'TRUST_PROXY is unset, and the address is https',
        'set TRUST_PROXY to the addresses of the proxies in front',
      );
    },
  }),
  check({
    id: 'address.force_https',
    group: 'Addresses',
    title: 'Pages are served over https only',
    why: 'A user who types the address without https would send the password unencrypted.',
    needs: ['settings'],
    judge: ({ settings }) => {
      if (settings.http.forceHttps) return ok('plain http is redirected');
      if (!isProduction(settings)) return skipped('off; checked in production only');
      return warning('off', 'remove AUTH_WEB_FORCE_HTTPS=false, unless the proxy itself redirects');
    },
  }),
  check({
    id: 'address.cors',
    group: 'Addresses',
    title: 'Allowed origins use https',
    why: 'Data that a script of an http page receives, tokens above all, can be read and changed in transit.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const { corsOrigins } = settings.http;
      if (corsOrigins.length === 0) return ok('no other origins are allowed');
      const plain = corsOrigins.filter((origin) => origin.startsWith('http://'));
      if (plain.length === 0 || !isProduction(settings)) return ok(corsOrigins.join(', '));
      return warning(plain.join(', '), 'remove these from CORS_ORIGINS, or serve them over https');
    },
  }),
  check({
    id: 'address.cookies',
    group: 'Addresses',
    title: 'Cookie mode fits the addresses',
    why:
      'Its cookies are Secure and SameSite=Lax: browsers keep them over https only, and send them with requests of ' +
      'scripts of the same site only.',
    needs: ['settings'],
    judge: ({ settings: { http } }) => {
      if (!http.cookieMode) return skipped('cookie mode is off');
      if (!isHttps(http.baseUrl) && !isLocalAddress(http.baseUrl)) return error(http.baseUrl, FIX_BASE_URL);
      const foreign = http.corsOrigins.filter((origin) => !mayBeSameSite(origin, http.baseUrl));
      if (foreign.length === 0) return ok('the allowed origins can be of the same site');
      return warning(
        `of another site: ${foreign.join(', ')}`,
        'move them under the domain of AUTH_BASE_URL; until then they need tokens in the body',
      );
    },
  }),
  check({
    id: 'address.passkeys',
    group: 'Addresses',
    title: 'Passkeys can be used on the pages of this service',
    why: 'Browsers offer passkeys on pages only whose origin is in the list and under the domain of the relying party.',
    needs: ['settings'],
    judge: ({ settings }) => judgePasskeys(settings),
  }),
];

const FIX_BASE_URL = 'set AUTH_BASE_URL to the https address that people use';

function judgePasskeys({ passkeys, http }: Settings) {
  if (!passkeys.enabled) return skipped('passkeys are off');
  const { origin, hostname } = new URL(http.baseUrl);
  const domain = passkeys.relyingPartyId ?? '';
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) {
    return warning(
      `${hostname} is not under ${domain}`,
      'set WEBAUTHN_RP_ID to a domain that AUTH_BASE_URL is under; existing passkeys become unusable',
    );
  }
  return passkeys.origins.includes(origin)
    ? ok(`${origin} and ${passkeys.origins.length - 1} more, under ${domain}`)
    : warning(`${origin} is not among the origins`, `add ${origin} to WEBAUTHN_ORIGINS`);
}

/**
 * Returns false if two addresses are certainly of different sites: another scheme, or another end of the host
 * name. Only the list of public suffixes could decide whether `a.co.uk` and `b.co.uk` are one site.
 */
function mayBeSameSite(origin: string, baseUrl: string): boolean {
  const [one, other] = [new URL(origin), new URL(baseUrl)];
  return one.protocol === other.protocol && endOf(one.hostname) === endOf(other.hostname);
}

const endOf = (hostname: string): string =>
  /^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
