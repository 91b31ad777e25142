import type { Auth } from '@latchkey/core';
import { firstRunOf } from '@latchkey/pages/internal';

/**
 * Logs how the first superadmin is created, if there is none: outside production by a link, in production by the command. The
 * start does not wait for it.
 */
export async function announceFirstRun(auth: Auth, port: number): Promise<void> {
  const { logger, settings } = auth;
  const firstRun = firstRunOf(auth);
  const isProduction = settings.environment === 'production';
  const link = isProduction ? undefined : firstRun.link(port);
  // The database was reachable a moment ago. If it is not any more, the pages say the same later.
  if (!(await firstRun.isNeeded().catch(() => false))) return;
  if (link === undefined) logger.warn({}, 'There is no superadmin. Create one with: latchkey bootstrap');
  else logger.info({}, `Create the first administrator: ${link}`);
}
