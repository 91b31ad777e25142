import { endpoint, publicQuery } from '../endpoint.js';
import type { PlatformEvent } from '../platform-data.js';

/** Returns the ticket companies of an event; the id is the event's. */
export const ticketVendors = endpoint({
  method: 'get',
  path: '/event-ticket/{id}/vendors',
  lists: [403, 500],
  query: publicQuery,
  handle: ({ data, id }) =>
    data.events.get(id)?.sales.map(({ vendorId, vendor }) => ({ id: vendorId, name: vendor })),
});

export const ticketMetrics = endpoint({
  method: 'get',
  path: '/events/{id}/ticket-metrics',
  lists: [400, 403, 500],
  query: publicQuery,
  handle: ({ data, id }) => {
    const event = data.events.get(id);
    return event && { capacity: event.capacity, sold: sold(event), left: event.capacity - sold(event) };
  },
});

export const groupTicketSales = endpoint({
  method: 'get',
  path: '/event-group/{id}/ticket-sales',
  lists: [403, 500],
  query: publicQuery,
  handle: ({ data, id }) => {
    const events = [...data.events.values()].filter(({ groupId }) => groupId === id);
    return events.length === 0
      ? undefined
      : events.map((event) => ({ eventId: event.id, sold: sold(event) }));
  },
});

const sold = ({ sales }: PlatformEvent): number => sales.reduce((sum, sale) => sum + sale.sold, 0);
