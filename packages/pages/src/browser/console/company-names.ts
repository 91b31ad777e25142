import { useEffect } from 'preact/hooks';
import { client } from '../client.js';
import { Store } from './store.js';

/** Lists name companies by id; their names are read together, once each. Empty: there is none. */
const names = new Store<{ byId: Readonly<Record<string, string>> }>({ byId: {} });
/** The service takes so many ids at once. */
const MOST_AT_ONCE = 100;
const queue = new Set<string>();
let isQueued = false;

/** Returns the name of a company; undefined until it is known, and for one without a name. */
export function useCompanyName(id: string): string | undefined {
  const { byId } = names.use();
  useEffect(() => {
    if (names.current.byId[id] !== undefined) return;
    queue.add(id);
    if (!isQueued) setTimeout(() => void work());
    isQueued = true;
  }, [id]);
  return byId[id] === '' ? undefined : byId[id];
}

/** Keeps names that a view has loaded. */
export function keepCompanyNames(companies: readonly { id: string; name?: string }[]): void {
  const known = Object.fromEntries(companies.map(({ id, name = '' }) => [id, name]));
  names.set({ byId: { ...names.current.byId, ...known } });
}

async function work(): Promise<void> {
  isQueued = false;
  const ids = [...queue];
  queue.clear();
  // Known as unnamed until they are read, so that each is asked for once.
  keepCompanyNames(ids.map((id) => ({ id })));
  for (let start = 0; start < ids.length; start += MOST_AT_ONCE) {
    const some = ids.slice(start, start + MOST_AT_ONCE);
    const query = { ids: some.join(','), limit: MOST_AT_ONCE };
    const { data } = await client.request('GET', '/internal/companies', { query });
    if (data) keepCompanyNames(data);
  }
}
