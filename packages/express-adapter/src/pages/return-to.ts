/** Where the pages may send people. */
export interface ReturnTargets {
  /** Public address of this service. */
  baseUrl: string;
  webAppUrl: string | undefined;
}

/** Browsers drop some of these and take a backslash for a slash: addresses that hold one mean to deceive. */
const DECEPTIVE = /[\p{Cc}\s\\]/u;

/**
 * The address a page may send somebody back to: a path on this host, or an address under the web app's. Undefined for
 * everything else, so that a link to a page of ours never leads to a stranger's.
 */
export function safeReturnTo(wanted: unknown, targets: ReturnTargets): string | undefined {
  if (typeof wanted !== 'string' || DECEPTIVE.test(wanted)) return undefined;
  return wanted.startsWith('/')
    ? pathOnThisHost(wanted, targets.baseUrl)
    : addressUnder(wanted, targets.webAppUrl);
}

function pathOnThisHost(wanted: string, baseUrl: string): string | undefined {
  const url = parsed(wanted, baseUrl);
  // Resolving dots may leave two leading slashes, which begin the name of another host.
  if (url?.origin !== new URL(baseUrl).origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}

function addressUnder(wanted: string, webAppUrl: string | undefined): string | undefined {
  const url = parsed(wanted);
  if (!url || webAppUrl === undefined || url.username !== '' || url.password !== '') return undefined;
  const { origin, pathname } = new URL(webAppUrl);
  const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return url.origin === origin && `${url.pathname}/`.startsWith(folder) ? url.href : undefined;
}

const parsed = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined;
