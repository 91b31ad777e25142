/** Thrown when a one-time grant (a hand-off code, a passkey challenge) has created a session already. */
export class GrantSpentError extends Error {
  constructor(cause: unknown) {
    super('The grant has created a session already.', { cause });
    this.name = 'GrantSpentError';
  }
}
