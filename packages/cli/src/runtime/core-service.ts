import type { Settings } from '@latchkey/core';
import { CommandError, EXIT } from './failure.js';

/** @throws CommandError where nobody knows what companies are entitled to. */
export function assertCoreService({ coreService }: Settings): void {
  if (coreService.baseUrl !== undefined) return;
  throw new CommandError(
    EXIT.unreachable,
    'No core service is configured, and it alone knows what a company is entitled to.',
    'Set CORE_BASE_URL and CORE_INTERNAL_API_KEY to what the service has.',
  );
}
