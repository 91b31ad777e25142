/** What a limit does while the shared store is away: go on with what this process knows, or answer 503. */
export type FailMode = 'open' | 'closed';
