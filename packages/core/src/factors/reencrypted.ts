/** Numbers of secrets that were to be encrypted by another key. */
export interface Reencrypted {
  /** Secrets that the first key encrypts now. */
  reencrypted: number;
  /** Secrets whose key was not given; they stay as they are. */
  unreadable: number;
}
