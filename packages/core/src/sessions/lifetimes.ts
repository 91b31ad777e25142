/** Limits of a session, in seconds. */
export interface Lifetimes {
  /** Seconds a session lives unused. */
  idle: number;
  /** Seconds a session lives at most. */
  absolute: number;
}
