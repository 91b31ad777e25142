import { createRequire } from 'node:module';
import type ipaddr from 'ipaddr.js';
import { quote } from '../quote.js';
import { kindOf, Problem, readList } from './setting-kind.js';

/** An http or https address without a trailing slash, so that paths can be appended. */
export const webAddress = kindOf('an http or https address without query, fragment or password', (text) => {
  const url = parseUrl(text);
  if (!url || !/^https?:\/\//i.test(text)) return new Problem('not an http or https address');
  if (url.username || url.password) return new Problem('contains a user name or password');
  if (/[?#]/.test(text)) return new Problem('contains a query or fragment');
  return url.origin + url.pathname.replace(/\/+$/, '');
});

/** Loaded when an address is parsed: loading it slows every start, and most settings contain no address. */
const addresses = () => createRequire(import.meta.url)('ipaddr.js') as typeof ipaddr;

/** Exact origins as a browser sends them in the `Origin` header (RFC 6454, section 7). */
export const originList = kindOf(
  'comma-separated exact origins such as https://app.example.com: no path, no trailing slash, no *',
  (text) =>
    readList(text, (part) => (isOrigin(part) ? part : new Problem(`${quote(part)} is not an exact origin`))),
);

/** Origins that may use passkeys: secure web origins and Android apps. */
export const passkeyOriginList = kindOf(
  'comma-separated exact https origins (http for localhost only) or android:apk-key-hash:… entries',
  (text) =>
    readList(text, (part) => {
      if (isPasskeyOrigin(part)) return part;
      return new Problem(`${quote(part)} is not an origin that passkeys can use${androidAdvice(part)}`);
    }),
);

const ANDROID = 'android:apk-key-hash:';
/** Base64url of a SHA-256 without padding: the last character has two bits that are 0. */
const KEY_HASH = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Returns the value to write for the fingerprint of an app as other tools print it. */
function androidAdvice(part: string): string {
  if (!/^android:/i.test(part)) return '';
  const given = part.replace(/^android:(?:apk-key-hash:)?/i, '');
  const hex = given.replaceAll(':', '');
  const bytes = Buffer.from(hex, /^[0-9a-f]{64}$/i.test(hex) ? 'hex' : 'base64');
  return bytes.length === 32
    ? `; write ${ANDROID}${bytes.toString('base64url')}`
    : `; an app has the SHA-256 of its certificate in base64url, 43 characters: ${ANDROID}…`;
}

/** Returns true if browsers treat `host` as this machine, and so as secure without TLS. */
function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** A passkey relying party id: a bare domain name (WebAuthn Level 3, section 5.1.2). */
export const relyingPartyId = kindOf('a domain name such as example.com, without scheme and port', (text) => {
  const domain = text.toLowerCase();
  if (addresses().isValid(domain)) return new Problem('an IP address');
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  if (!new RegExp(`^${label}(?:\\.${label})*$`).test(domain)) return new Problem('not a domain name');
  return domain;
});

/** A hop count, or the addresses and ranges of the proxies. `true` would allow any client to forge its address. */
export const proxyTrust = kindOf<number | string[]>(
  'the number of proxies in front (0 to 20), or comma-separated addresses and CIDR ranges of proxies',
  (text) => {
    if (text.toLowerCase() === 'true')
      return new Problem('would allow every client to choose its own address');
    if (/^\d{1,2}$/.test(text)) return Number(text) <= 20 ? Number(text) : new Problem('too many hops');
    return readList(text, readProxy);
  },
);

function readProxy(part: string): string | Problem {
  const [, prefix] = part.split('/');
  const { IPv4, IPv6 } = addresses();
  const known =
    prefix === undefined
      ? IPv4.isValidFourPartDecimal(part) || IPv6.isValid(part)
      : IPv4.isValidCIDRFourPartDecimal(part) || IPv6.isValidCIDR(part);
  if (!known) return new Problem(`${quote(part)} is neither an address nor a CIDR range`);
  return Number(prefix) === 0 ? new Problem(`${quote(part)} trusts every address`) : part;
}

function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  if (isHttp(url)) return url.origin === text;
  // Web views of mobile apps send origins such as capacitor://localhost.
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9][a-z0-9.-]*(?::\d{1,5})?$/.test(text);
}

function isPasskeyOrigin(text: string): boolean {
  if (text.startsWith('android:'))
    return text.startsWith(ANDROID) && KEY_HASH.test(text.slice(ANDROID.length));
  const url = parseUrl(text);
  if (url?.origin !== text) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalhost(url.hostname));
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
