interface Venue {
  id: string;
  name: string;
  city: string;
  capacity: number;
}

export interface Artist {
  id: string;
  name: string;
  discography: { title: string; year: number }[];
  /** Each contact is marked as public or not. */
  contacts: { name: string; role: string; email: string; isPublic: boolean }[];
  events: { id: string; venueId: string; date: string }[];
  bandsintown: { trackers: number; url: string; events: { venue: string; country: string; date: string }[] };
  listenersByCountry: Record<string, number>;
}

export interface Transaction {
  id: string;
  name: string;
  eventId: string;
  eventName: string;
  type: string;
  status: string;
  /** Year, month, day. */
  date: string;
  amount: string;
}

export interface PlatformEvent {
  id: string;
  groupId: string;
  name: string;
  capacity: number;
  /** By ticket company. */
  sales: { vendorId: string; vendor: string; sold: number }[];
}

interface Approval {
  id: string;
  status: 'PENDING' | 'APPROVED';
  approvedByUserId?: string;
  notes?: string;
}

/** Data of the platform's services. Real services have their own databases. */
export interface PlatformData {
  venues: ReadonlyMap<string, Venue>;
  artists: ReadonlyMap<string, Artist>;
  events: ReadonlyMap<string, PlatformEvent>;
  /** By vendor. */
  transactions: ReadonlyMap<string, readonly Transaction[]>;
  approvals: ReadonlyMap<string, Approval>;
  /** By avail. */
  shows: ReadonlyMap<string, readonly { date: string; status: 'HELD' | 'CONFIRMED' }[]>;
  /** By task. */
  activities: ReadonlyMap<string, readonly { at: string; what: string }[]>;
}
