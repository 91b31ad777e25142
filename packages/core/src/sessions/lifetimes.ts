/** Limits of a session, in seconds. */
export interface Lifetimes {
  /** Seconds after which an unused session expires. */
  idle: number;
  /** Seconds after which a session expires in any case. */
  absolute: number;
}
