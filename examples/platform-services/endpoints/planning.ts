import { endpoint, publicQuery } from '../endpoint.js';

export const showsSummary = endpoint({
  method: 'get',
  path: '/avails/{id}/shows-summary',
  lists: [403, 500],
  query: publicQuery,
  handle: ({ data, id }) => {
    const shows = data.shows.get(id);
    const count = (status: string) => shows?.filter((show) => show.status === status).length;
    return shows && { total: shows.length, held: count('HELD'), confirmed: count('CONFIRMED') };
  },
});

export const taskActivities = endpoint({
  method: 'get',
  path: '/tasks/{id}/activities',
  lists: [403, 500],
  query: publicQuery,
  handle: ({ data, id }) => data.activities.get(id),
});
