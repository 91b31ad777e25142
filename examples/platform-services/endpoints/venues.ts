import { z } from 'zod';
import { endpoint, publicQuery } from '../endpoint.js';

export const venueCapacity = endpoint({
  method: 'put',
  path: '/venues/update/{id}/capacity',
  lists: [400, 401, 403, 500],
  query: publicQuery,
  body: { schema: z.object({ capacity: z.int().min(0).max(1_000_000) }), required: true },
  handle: ({ data, id, body: { capacity } }) => {
    const venue = data.venues.get(id);
    return venue && Object.assign(venue, { capacity });
  },
});

export const venueDetails = endpoint({
  method: 'get',
  path: '/venues/details/{id}',
  lists: [403, 500],
  query: publicQuery,
  handle: ({ data, id }) => data.venues.get(id),
});
