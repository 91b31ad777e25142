import type { Artist, PlatformData, PlatformEvent, Transaction } from './platform-data.js';

const artist: Artist = {
  id: 'artist-1',
  name: 'The Latches',
  discography: [
    { title: 'Open Road', year: 2023 },
    { title: 'Key of B', year: 2025 },
  ],
  contacts: [
    { name: 'Mara Manager', role: 'management', email: 'mara@example.com', isPublic: false },
    { name: 'Bo Booker', role: 'booking', email: 'bo@example.com', isPublic: true },
  ],
  events: [{ id: 'event-1', venueId: 'venue-1', date: '2026-12-31' }],
  bandsintown: {
    trackers: 1204,
    url: 'https://bandsintown.example.com/a/1',
    events: [{ venue: 'Old Town Hall', country: 'DE', date: '2026-12-31' }],
  },
  listenersByCountry: { DE: 812, FR: 392 },
};

const events: PlatformEvent[] = [
  {
    id: 'event-1',
    groupId: 'group-1',
    name: "New Year's Eve",
    capacity: 800,
    sales: [
      { vendorId: 'vendor-1', vendor: 'Ticket Window', sold: 310 },
      { vendorId: 'vendor-2', vendor: 'Seats & More', sold: 95 },
    ],
  },
  {
    id: 'event-2',
    groupId: 'group-1',
    name: "New Year's Day",
    capacity: 400,
    sales: [{ vendorId: 'vendor-1', vendor: 'Ticket Window', sold: 40 }],
  },
];

const paid = {
  name: 'Ticket Window',
  eventId: 'event-1',
  eventName: "New Year's Eve",
  type: 'SALE',
  status: 'PAID',
};
const transactions: Transaction[] = [
  { ...paid, id: 'transaction-1', date: '2026-11-02', amount: '1240.00' },
  { ...paid, id: 'transaction-2', date: '2026-11-09', amount: '310.00' },
  { ...paid, id: 'transaction-3', date: '2026-11-10', amount: '-31.00', type: 'REFUND', status: 'OPEN' },
  {
    ...paid,
    id: 'transaction-4',
    date: '2026-11-12',
    amount: '88.50',
    eventId: 'event-2',
    eventName: "New Year's Day",
  },
];

/** Returns new sample data on each call, which the caller may change. */
export function sampleData(): PlatformData {
  return structuredClone({
    venues: new Map([['venue-1', { id: 'venue-1', name: 'Old Town Hall', city: 'Bremen', capacity: 800 }]]),
    artists: new Map([[artist.id, artist]]),
    events: new Map(events.map((event) => [event.id, event])),
    transactions: new Map([['vendor-1', transactions]]),
    approvals: new Map([['approval-1', { id: 'approval-1', status: 'PENDING' as const }]]),
    shows: new Map([
      [
        'avail-1',
        [
          { date: '2026-12-30', status: 'HELD' as const },
          { date: '2026-12-31', status: 'CONFIRMED' as const },
        ],
      ],
    ]),
    activities: new Map([['task-1', [{ at: '2026-11-20T09:00:00.000Z', what: 'assigned to Bo Booker' }]]]),
  });
}
