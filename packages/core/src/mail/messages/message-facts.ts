/** What the sentences of a mail name, already in its language. */
export interface MessageFacts {
  /** The name of the brand. */
  product: string;
  /** The time of the cause with its preposition, such as `on 20 November 2026 at 14:05 UTC`. */
  when: string;
}
