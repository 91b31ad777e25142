import { useEffect } from 'preact/hooks';
import { client } from '../client.js';
import { nameOf } from './format.js';
import { Store } from './store.js';

/** The audit log names users by id; their names are read once each, a few at a time. */
const names = new Store<{ byId: Readonly<Record<string, string>> }>({ byId: {} });
const MOST_AT_ONCE = 3;
const queue = new Set<string>();
let running = 0;

/** Returns the name of a user; undefined until it is known, and for a user that cannot be read. */
export function useUserName(id: string): string | undefined {
  const { byId } = names.use();
  useEffect(() => {
    if (names.current.byId[id] !== undefined) return undefined;
    queue.add(id);
    work();
    // An entry that is no longer shown needs no name.
    return () => void queue.delete(id);
  }, [id]);
  return byId[id] === '' ? undefined : byId[id];
}

function work(): void {
  for (const id of queue) {
    if (running >= MOST_AT_ONCE) return;
    queue.delete(id);
    if (names.current.byId[id] === undefined) void read(id);
  }
}

async function read(id: string): Promise<void> {
  running++;
  // Known as unreadable until it is read, so that it is asked for once.
  names.set({ byId: { ...names.current.byId, [id]: '' } });
  const { data } = await client.request('GET', '/internal/users/{id}', { path: { id } });
  if (data) names.set({ byId: { ...names.current.byId, [id]: nameOf(data) } });
  running--;
  work();
}
