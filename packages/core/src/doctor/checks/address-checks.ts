import type { Settings } from '../../settings/settings.js';
import { check, error, ok, skipped, warning, type Check } from '../check.js';
import { isLocalAddress, isProduction } from '../situation.js';

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
      if (!isProduction(settings)) return skipped(`${baseUrl}; it matters in production`);
      if (isLocalAddress(baseUrl)) return error(`${baseUrl} leads nowhere for anybody else`, MEND_BASE_URL);
      // Settings of production with plain http do not even start.
      return ok(baseUrl);
    },
  }),
  check({
    id: 'address.proxy',
    group: 'Addresses',
    title: 'The proxy in front is known',
    why:
      'The service itself speaks http, so somebody ends TLS in front of it. Without TRUST_PROXY all callers share the ' +
      "proxy's address, and the limits with it, and pages that are forced to https redirect for ever.",
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
    title: 'Pages are only served over https',
    why: 'Somebody who types the address without https would send a password in the clear.',
    needs: ['settings'],
    judge: ({ settings }) => {
      if (settings.http.forceHttps) return ok('plain http is redirected');
      if (!isProduction(settings)) return skipped('off; that matters in production');
      return warning('off', 'remove AUTH_WEB_FORCE_HTTPS=false, unless the proxy redirects by itself');
    },
  }),
  check({
    id: 'address.cors',
    group: 'Addresses',
    title: 'Scripts of other origins come over https',
    why: 'What a script of an http page receives, tokens above all, can be read and changed on the way.',
    needs: ['settings'],
    judge: ({ settings }) => {
      const { corsOrigins } = settings.http;
      if (corsOrigins.length === 0) return ok('no other origins are allowed');
      const plain = corsOrigins.filter((origin) => origin.startsWith('http://'));
      if (plain.length === 0 || !isProduction(settings)) return ok(corsOrigins.join(', '));
      return warning(plain.join(', '), 'take these out of CORS_ORIGINS, or serve them over https');
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
      if (!isHttps(http.baseUrl) && !isLocalAddress(http.baseUrl)) return error(http.baseUrl, MEND_BASE_URL);
      const foreign = http.corsOrigins.filter((origin) => !mayBeSameSite(origin, http.baseUrl));
      if (foreign.length === 0) return ok('the origins allowed can be of the same site');
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

const MEND_BASE_URL = 'set AUTH_BASE_URL to the https address that people use';

function judgePasskeys({ passkeys, http }: Settings) {
  if (!passkeys.enabled) return skipped('passkeys are off');
  const { origin, hostname } = new URL(http.baseUrl);
  const domain = passkeys.relyingPartyId ?? '';
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) {
    return warning(
      `${hostname} is not under ${domain}`,
      'set WEBAUTHN_RP_ID to a domain that AUTH_BASE_URL is under; passkeys made so far are lost by that',
    );
  }
  return passkeys.origins.includes(origin)
    ? ok(`${origin} and ${passkeys.origins.length - 1} more, under ${domain}`)
    : warning(`${origin} is not among the origins`, `add ${origin} to WEBAUTHN_ORIGINS`);
}

/**
 * False when two addresses are of different sites for certain: another scheme, or another end of the host name. Whether
 * `a.co.uk` and `b.co.uk` are one site only the list of public suffixes tells.
 */
function mayBeSameSite(origin: string, baseUrl: string): boolean {
  const [one, other] = [new URL(origin), new URL(baseUrl)];
  return one.protocol === other.protocol && endOf(one.hostname) === endOf(other.hostname);
}

const endOf = (hostname: string): string =>
  /^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
