import { paletteMessages as messages, shellMessages as shell } from '../../messages/en/console/shell.js';
import { userListMessages } from '../../messages/en/console/users.js';
import { client } from '../client.js';
import { pageData } from '../page-data.js';
import { addUser } from './add-user.js';
import { nameOf } from './format.js';
import { DESTINATIONS } from './navigation.js';
import { showKeys } from './overlay-store.js';
import type { IconName } from './parts/icons.js';
import { UUID } from './patterns.js';
import type { Action } from './rights.js';
import { go, hrefOf } from './router.js';
import { keyOf, useQuery, type Outcome } from './use-query.js';

/** Something to go to, or to do. */
export interface PaletteItem {
  /** Distinguishes it from all others. */
  key: string;
  group: string;
  name: string;
  detail?: string;
  icon: IconName;
  run: () => unknown;
}

/** The records of each kind that are shown. */
const MOST_RECORDS = 6;
/** A shorter text finds too much. */
const SHORTEST_SEARCH = 2;

const place = (
  group: string,
  path: string,
  item: Omit<PaletteItem, 'key' | 'group' | 'run'>,
): PaletteItem => ({
  ...item,
  group,
  key: `${group} ${path}`,
  run: () => go(hrefOf(path)),
});

/** The actions that concern no record, with what the role must allow. */
const ACTIONS: readonly (Omit<PaletteItem, 'key' | 'group'> & { needs: Action })[] = [
  { name: userListMessages.add, icon: 'plus', needs: 'create', run: addUser },
  { name: shell.keys, icon: 'keyboard', needs: 'read', run: () => showKeys(true) },
  {
    name: shell.account,
    icon: 'users',
    needs: 'read',
    run: () => location.assign(`${pageData.base}/account`),
  },
  { name: shell.signOut, icon: 'back', needs: 'read', run: () => client.signOut() },
];

/** Returns the views and actions that a role may use and whose names contain the text. */
export function commandsFor(text: string, may: (action: Action) => boolean): PaletteItem[] {
  const wanted = text.toLowerCase();
  const views = DESTINATIONS.map(({ path, name, icon, needs }) => ({
    ...place(messages.views, path, { name, icon }),
    needs,
  }));
  const actions = ACTIONS.map((action) => ({
    ...action,
    group: messages.actions,
    key: `action ${action.name}`,
  }));
  return [...views, ...actions].filter(
    ({ name, needs }) => may(needs) && name.toLowerCase().includes(wanted),
  );
}

/**
 * Finds records by a text, once it is long enough: users and companies by name, a user or a session by id.
 * @param text what the user has typed, after a pause.
 */
export function useFoundRecords(
  text: string,
  may: (action: Action) => boolean,
): { items: PaletteItem[]; isSearching: boolean } {
  const isWorthIt = text.length >= SHORTEST_SEARCH && may('read');
  const query = useQuery(isWorthIt ? keyOf('palette', text) : undefined, (signal) => find(text, signal));
  // Records of an earlier text stay in the query until the next ones are there.
  const isCurrent = isWorthIt && query.data?.text === text;
  return { items: isCurrent ? (query.data?.items ?? []) : [], isSearching: isWorthIt && query.isLoading };
}

/** A source that fails finds nothing: the others still do. */
async function find(
  text: string,
  signal: AbortSignal,
): Promise<Outcome<{ text: string; items: PaletteItem[] }>> {
  const sources = UUID.test(text) ? [userOf, sessionOf] : [usersNamed, companiesNamed];
  const found = await Promise.all(sources.map((source) => source(text, signal)));
  return { ok: true, data: { text, items: found.flat() }, response: new Response() };
}

async function usersNamed(search: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const query = { search, limit: MOST_RECORDS };
  const { data = [] } = await client.request('GET', '/internal/users', { query, signal });
  return data.map((user) =>
    place(messages.users, `users/${user.id}`, { name: nameOf(user), detail: user.email, icon: 'users' }),
  );
}

async function companiesNamed(search: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const query = { search, limit: MOST_RECORDS };
  const { data = [] } = await client.request('GET', '/internal/companies', { query, signal });
  return data.map(({ id, name }) =>
    place(messages.companies, `companies/${id}`, { name: name ?? id, icon: 'companies' }),
  );
}

async function userOf(id: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { data } = await client.request('GET', '/internal/users/{id}', { path: { id }, signal });
  if (!data) return [];
  return [
    place(messages.users, `users/${data.id}`, { name: nameOf(data), detail: data.email, icon: 'users' }),
  ];
}

async function sessionOf(id: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { data = [] } = await client.request('GET', '/internal/sessions', {
    query: { id, limit: 1 },
    signal,
  });
  return data.map((session) => ({
    group: messages.sessions,
    key: `session ${session.id}`,
    name: messages.session(session.email),
    icon: 'sessions',
    run: () => go(hrefOf('sessions', { id: session.id })),
  }));
}
