/** A mail in the list of the development inbox. */
export interface InboxEntry {
  id: string;
  to: string;
  subject: string;
  /** Such as `invitation`. */
  kind: string;
  /** The first words of the text. */
  preview: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
}
