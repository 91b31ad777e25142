import { TemporaryPostgres } from '../embedded-postgres/temporary-postgres.js';

/** The right to use the server of this process. */
export interface ServerLease {
  readonly url: string;
  /** Releases the server; the last release stops it. Calling it twice is safe. */
  release(): Promise<void>;
}

interface Shared {
  server: Promise<TemporaryPostgres>;
  leases: number;
}

let shared: Shared | undefined;

/**
 * Returns a lease of the one embedded PostgreSQL of this process, which the first call starts. It never
 * outlives the process, however that ends. @throws Error that says what to do if it cannot be started here.
 */
export async function leaseServer(): Promise<ServerLease> {
  const mine = (shared ??= { server: TemporaryPostgres.start(), leases: 0 });
  mine.leases += 1;
  try {
    const { url } = await mine.server;
    let isHeld = true;
    const release = async () => {
      if (!isHeld) return;
      isHeld = false;
      await give(mine);
    };
    return { url, release };
  } catch (error) {
    if (shared === mine) shared = undefined;
    throw error;
  }
}

async function give(mine: Shared): Promise<void> {
  mine.leases -= 1;
  if (mine.leases > 0) return;
  // Before any await: later calls start another server.
  if (shared === mine) shared = undefined;
  await (await mine.server).stop();
}
