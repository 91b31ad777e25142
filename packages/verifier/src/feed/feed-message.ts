import type { FeedEntry } from './feed-entry.js';

/** A message of the feed, from either transport. */
export interface FeedMessage {
  kind: 'snapshot' | 'revocations' | 'heartbeat';
  entries: readonly FeedEntry[];
  /** The position behind this message; undefined keeps the former one. */
  cursor: string | undefined;
}

/** One request for the feed. */
export interface FeedRequest {
  headers: Record<string, string>;
  /** Position to continue from. Without one, the feed starts with a snapshot. */
  cursor: string | undefined;
  signal: AbortSignal;
}
