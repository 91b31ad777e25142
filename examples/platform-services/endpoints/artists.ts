import { z } from 'zod';
import { endpoint, publicQuery } from '../endpoint.js';

const READ = { method: 'get', lists: [403, 500], query: publicQuery } as const;

export const artistData = endpoint({
  method: 'get',
  path: '/artists/{id}/data-v2',
  lists: [400, 403, 500],
  query: publicQuery.extend({ country: z.string().min(1).max(100) }),
  handle: ({ data, id, query: { country } }) => {
    const artist = data.artists.get(id);
    return artist && { id, name: artist.name, country, listeners: artist.listenersByCountry[country] ?? 0 };
  },
});

export const bandsintownEvents = endpoint({
  ...READ,
  path: '/artists/{id}/bandsintown/events',
  handle: ({ data, id }) => data.artists.get(id)?.bandsintown.events,
});

export const bandsintown = endpoint({
  ...READ,
  path: '/artists/{id}/bandsintown',
  handle: ({ data, id }) => {
    const artist = data.artists.get(id);
    return artist && { trackers: artist.bandsintown.trackers, url: artist.bandsintown.url };
  },
});

export const discography = endpoint({
  ...READ,
  path: '/artists/{id}/discography',
  handle: ({ data, id }) => data.artists.get(id)?.discography,
});

/** `public` can only reduce what a signed-in caller sees. */
export const artistContacts = endpoint({
  ...READ,
  path: '/artists/{id}/contacts',
  handle: ({ data, id, query }) =>
    data.artists.get(id)?.contacts.filter(({ isPublic }) => isPublic || query.public !== 'true'),
});

export const artistEvents = endpoint({
  ...READ,
  path: '/artists/{id}/events',
  handle: ({ data, id }) => data.artists.get(id)?.events,
});
