/** The allowed targets of redirects. */
interface ReturnTargets {
  /** Public address of this service. */
  baseUrl: string;
  webAppUrl: string | undefined;
}

/** Browsers drop some of these characters and treat a backslash as a slash: addresses with one of them are deceptive. */
const DECEPTIVE = /[\p{Cc}\s\\]/u;

/**
 * Returns the address that a page may redirect to: a path on this host, or an address below that of the web app. Returns
 * undefined for everything else, so that a link to a page never leads to a foreign site.
 */
export function safeReturnTo(wanted: unknown, targets: ReturnTargets): string | undefined {
  if (typeof wanted !== 'string' || DECEPTIVE.test(wanted)) return undefined;
  return wanted.startsWith('/')
    ? pathOnThisHost(wanted, targets.baseUrl)
    : addressUnder(wanted, targets.webAppUrl);
}

function pathOnThisHost(wanted: string, baseUrl: string): string | undefined {
  const url = parsed(wanted, baseUrl);
  // Resolving dots may leave two leading slashes, which start the name of another host.
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
