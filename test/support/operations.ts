import type { Auth } from '@latchkey/core';
import { createAdministration, type Administration } from '@latchkey/operations';

/** Runs `work` with the operators' services on the database of a service, and closes them. */
export async function operate<Result>(
  { settings, logger }: Pick<Auth, 'settings' | 'logger'>,
  work: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  const administration = await createAdministration(settings, { logger });
  try {
    return await work(administration);
  } finally {
    await administration.close();
  }
}
