/** A row of the specification's table of endpoints that belong to other services of the platform. */
export interface PlatformEndpointFacts {
  method: 'GET' | 'PUT' | 'POST';
  path: string;
  /** The query's keys, sorted; those that are required end in an exclamation mark. */
  query: readonly string[];
  body?: 'required' | 'optional';
  /** The error statuses it lists. */
  errors: readonly number[];
}

const READ = { method: 'GET', query: ['public'], errors: [403, 500] } as const;

/** All fifteen, in their order. Each also has the path parameter `id`. */
export const SPECIFIED_PLATFORM_ENDPOINTS: readonly PlatformEndpointFacts[] = [
  {
    method: 'PUT',
    path: '/venues/update/{id}/capacity',
    query: ['public'],
    body: 'required',
    errors: [400, 401, 403, 500],
  },
  {
    method: 'GET',
    path: '/vendors-system/vendors/{id}/transactions',
    query: [
      'endDate',
      'eventIds',
      'eventName',
      'limit',
      'name',
      'page',
      'public',
      'startDate',
      'status',
      'type',
    ],
    errors: [],
  },
  { method: 'GET', path: '/artists/{id}/data-v2', query: ['country!', 'public'], errors: [400, 403, 500] },
  { ...READ, path: '/artists/{id}/bandsintown/events' },
  { method: 'POST', path: '/approval/{id}/approve', query: [], body: 'optional', errors: [400, 401, 403] },
  { ...READ, path: '/avails/{id}/shows-summary' },
  { ...READ, path: '/artists/{id}/bandsintown' },
  { ...READ, path: '/artists/{id}/discography' },
  { ...READ, path: '/tasks/{id}/activities' },
  { ...READ, path: '/artists/{id}/contacts' },
  { ...READ, path: '/venues/details/{id}' },
  { ...READ, path: '/artists/{id}/events' },
  { ...READ, path: '/event-ticket/{id}/vendors' },
  { ...READ, path: '/events/{id}/ticket-metrics', errors: [400, 403, 500] },
  { ...READ, path: '/event-group/{id}/ticket-sales' },
];
