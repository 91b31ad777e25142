import type { Endpoint } from './endpoint.js';
import { approve } from './endpoints/approvals.js';
import {
  artistContacts,
  artistData,
  artistEvents,
  bandsintown,
  bandsintownEvents,
  discography,
} from './endpoints/artists.js';
import { groupTicketSales, ticketMetrics, ticketVendors } from './endpoints/events.js';
import { showsSummary, taskActivities } from './endpoints/planning.js';
import { vendorTransactions } from './endpoints/transactions.js';
import { venueCapacity, venueDetails } from './endpoints/venues.js';

/** Every endpoint of the platform's other services, in the specified order. */
export const allEndpoints: readonly Endpoint[] = [
  venueCapacity,
  vendorTransactions,
  artistData,
  bandsintownEvents,
  approve,
  showsSummary,
  bandsintown,
  discography,
  taskActivities,
  artistContacts,
  venueDetails,
  artistEvents,
  ticketVendors,
  ticketMetrics,
  groupTicketSales,
];
