import { pageData } from '../page-data.js';
import { Store } from './store.js';

/** The place of the console in the address bar. */
const ROOT = `${pageData.base}/console`;

/** A place in the console: its path below `/console`, without slashes at the ends, and its filters. */
interface Place {
  path: string;
  query: URLSearchParams;
}

const store = new Store<Place>(readPlace());

function readPlace(): Place {
  const path = location.pathname.slice(ROOT.length).replace(/^\/+|\/+$/g, '');
  return { path, query: new URLSearchParams(location.search) };
}

const update = (): void => store.set(readPlace());
addEventListener('popstate', update);

/** Returns the current place, for a component that renders again when it changes. */
export const usePlace = (): Place => store.use();

/** Returns the address of a place. Empty filters are left out. */
export function hrefOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const filled = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(filled).toString();
  return `${ROOT}${path === '' ? '' : `/${path}`}${search === '' ? '' : `?${search}`}`;
}

/** Goes to an address of the console. With `replace`, the back button does not lead to the current one. */
export function go(href: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  update();
  if (!replace) scrollTo(0, 0);
}

/** Changes filters of the current place; the page number goes back to the first unless it is set. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const query = { ...Object.fromEntries(store.current.query), page: undefined, ...changes };
  go(hrefOf(store.current.path, query), { replace: true });
}
