import { useEffect } from 'preact/hooks';
import { client } from '../client.js';
import type { Failure } from '../failure.js';
import { Store } from './store.js';

/** The number of registrations that wait, for the badge. It is read when the console opens, after decisions, and each minute. */
const waiting = new Store<{ count: number | undefined }>({ count: undefined });
const EVERY_MS = 60_000;

export const useWaitingCount = (): number | undefined => waiting.use().count;

const setWaitingCount = (count: number): void => waiting.set({ count });

/** Reads the number. @returns the failure, if there is one. */
export async function readWaitingCount(): Promise<Failure | undefined> {
  const { error, response } = await client.request('GET', '/internal/users', {
    query: { approvalStatus: 'PENDING', limit: 1 },
  });
  if (error) return error;
  setWaitingCount(Number(response.headers.get('x-total-count') ?? '0'));
  return undefined;
}

/** Keeps the number current while the page is visible. */
export function useWaitingUpdates(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void readWaitingCount();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
