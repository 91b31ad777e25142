import type { Settings } from '@latchkey/core';
import { CommandError, EXIT } from './failure.js';

/** @throws CommandError if there is no core service to ask for the entitlements of a company. */
export function assertCoreService({ coreService }: Settings): void {
  if (coreService.baseUrl !== undefined) return;
  throw new CommandError(
    EXIT.unreachable,
    'No core service is configured; it has the entitlements of companies.',
    'Set CORE_BASE_URL and CORE_INTERNAL_API_KEY to the values of the service.',
  );
}
