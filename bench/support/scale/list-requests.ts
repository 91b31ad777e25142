import { cursorOf } from '../../../packages/core/src/kernel/row-position.js';
import { allRoutes } from '../../../packages/http/src/routes/all-routes.js';
import type { Route } from '../../../packages/http/src/routing/route.js';
import type { Population } from '../population/population.js';

/** A request for a list or a count. */
export interface ListRequest {
  label: string;
  path: string;
  headers: Record<string, string>;
  /** `first`: the first page as most clients request it; `deep`: one in the middle of the list. */
  kind: 'first' | 'filtered' | 'deep' | 'count';
}

export interface ListCallers {
  machineKey: string;
  /** Access token of platform staff who belong to the large company. */
  staffToken: string;
}

/** Counts that are not lists. */
const COUNTS: readonly string[] = ['getSessionStats'];
/** Query parameters of the position, which are no filters. */
const POSITION = new Set(['limit', 'offset', 'cursor']);
/** Lists that do not grow with the users: a company has at most a hundred keys, and deliveries are kept for days. */
const BOUNDED = /\/api-keys$|\/webhooks\//;
const DAY_MS = 86_400_000;

/** Returns requests for every list that grows and every count of the route table: first page, each filter alone, and a deep page. */
export function listRequests(population: Population, callers: ListCallers): ListRequest[] {
  const lists = allRoutes.filter(({ paging, path }) => paging !== 'none' && !BOUNDED.test(path));
  const counts = allRoutes.filter(({ operationId }) => COUNTS.includes(operationId));
  return [
    ...lists.flatMap((route) => requestsOf(route, population, callers)),
    ...counts.map((route) => requestOf(route, population, callers, { kind: 'count', query: '' })),
  ];
}

function requestsOf(route: Route, population: Population, callers: ListCallers): ListRequest[] {
  const request = (kind: ListRequest['kind'], query: string) =>
    requestOf(route, population, callers, { kind, query });
  return [
    request('first', ''),
    ...filtersOf(route, population).map((query) => request('filtered', query)),
    ...deepQueries(route, population).map((query) => request('deep', query)),
  ];
}

function requestOf(
  route: Route,
  population: Population,
  callers: ListCallers,
  { kind, query }: { kind: ListRequest['kind']; query: string },
): ListRequest {
  const path = pathOf(route, population);
  return {
    label: `${route.path}${query === '' ? '' : `?${labelOf(query)}`}`,
    path: query === '' ? path : `${path}?${query}`,
    headers: headersOf(route, population, callers),
    kind,
  };
}

/** Returns the query without ids and instants, and without numbers that grow with the population. */
const labelOf = (query: string): string =>
  decodeURIComponent(query)
    .replace(/=[\da-f-]{36}$/, '={id}')
    .replace(/=\d{4}-.*Z$/, '={instant}')
    .replace(/^(offset|cursor)=.+$/, '$1={middle}');

function pathOf({ path }: Route, population: Population): string {
  const ids: Record<string, string> = {
    id: population.userId,
    companyId: population.largeCompanyId,
    ids: population.largeCompanyId,
    role: 'MEMBER',
    businessUnitId: population.largeUnitId,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(ids, name));
}

function headersOf(
  { caller, headers }: Route,
  { largeCompanyId }: Population,
  { machineKey, staffToken }: ListCallers,
): Record<string, string> {
  const credentials: Record<string, string> =
    caller.security === 'bearer'
      ? { authorization: `Bearer ${staffToken}` }
      : { 'x-internal-api-key': machineKey };
  return 'x-org' in headers.shape ? { ...credentials, 'x-org': largeCompanyId } : credentials;
}

function filtersOf({ path, query }: Route, population: Population): string[] {
  const shape = (query as { shape?: Record<string, unknown> }).shape ?? {};
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  const values: Record<string, string | readonly string[]> = {
    id: population.sessionId,
    approvalStatus: 'PENDING',
    globalRole: 'PLATFORM_ADMIN',
    isActive: 'false',
    // An index of trigrams finds a name, but not two letters; no user has these.
    search: ['person 4711', 'zq'],
    tail: 'true',
    state: 'failed',
    ipAddress: ['192.0.2.7', '192.0.2.0/27'],
    sort: ['email', 'fullName'],
    status: 'PENDING',
    kind: 'password_changed',
    email: 'person4711@example.com',
    module: 'billing',
    event: 'login',
    outcome: 'failure',
    userId: population.userId,
    actorUserId: population.userId,
    actedByUserId: population.userId,
    subjectUserId: population.userId,
    companyId: population.largeCompanyId,
    ids: population.largeCompanyId,
    role: 'MEMBER',
    sessionId: population.sessionId,
    from: yesterday,
    to: path.includes('/mail') ? 'person4711' : yesterday,
  };
  return Object.keys(shape)
    .filter((name) => !POSITION.has(name))
    .flatMap((name) => [valueOf(values, name)].flat().map((value) => `${name}=${encodeURIComponent(value)}`));
}

/** Returns positions in the middle of a list that grows with the population. */
function deepQueries({ path, paging }: Route, { users }: Population): string[] {
  if (paging === 'cursor') return [`limit=50&to=${new Date(Date.now() - 89 * DAY_MS).toISOString()}`];
  const offset = offsetOf(path, users);
  if (offset === undefined) return [];
  return [`offset=${Math.floor(offset)}`, ...(paging === 'either' ? [`cursor=${cursorInTheMiddle()}`] : [])];
}

/** Returns the cursor of an instant: it need not be that of a row. */
const cursorInTheMiddle = (): string =>
  cursorOf({ microseconds: `${Date.now() - 15 * DAY_MS}000`, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' });

function offsetOf(path: string, users: number): number | undefined {
  if (path.includes('{businessUnitId}')) return users / 40;
  if (path.endsWith('{companyId}/sessions')) return users / 10;
  if (path.includes('{companyId}') || path === '/auth/invitations') return users / 20;
  if (/^\/internal(?:\/admin)?\/users$/.test(path)) return users / 2;
  return path === '/internal/admin/sessions' ? users : undefined;
}

function valueOf<Value>(values: Record<string, Value>, name: string): Value {
  const value = values[name];
  if (value === undefined) throw new Error(`${name}: add a value of this parameter to list-requests.ts.`);
  return value;
}
