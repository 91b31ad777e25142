import type { Logger } from '../kernel/logger.js';
import { unobserved, type Observer } from '../kernel/observer.js';
import { BreachList } from '../passwords/breach-list/breach-list.js';
import { LazyBreachList } from '../passwords/breach-list/lazy-breach-list.js';
import { reasonOfUnusable } from '../passwords/breach-list/unusable-list.js';
import { SettingsError } from '../settings/setting-fault.js';
import type { Settings } from '../settings/settings.js';

/** Opens the list of `PASSWORD_BREACH_LIST`. @throws SettingsError if the file is missing, foreign, cut off or damaged. */
export async function openBreachList(
  path: string,
  deps: { readonly logger: Logger; readonly observer: Observer },
): Promise<BreachList> {
  try {
    return await BreachList.open({ path, ...deps });
  } catch (error) {
    const found = `${path}, which ${reasonOfUnusable(error)}`;
    const fix = 'make it with: latchkey passwords build-list, or remove PASSWORD_BREACH_LIST';
    throw new SettingsError([{ name: 'PASSWORD_BREACH_LIST', found, expected: EXPECTED, fix }]);
  }
}

/** Returns the list for commands, which is opened when one of them sets a password; undefined if none is configured. */
export function lazyBreachList({ passwords }: Settings, logger: Logger): LazyBreachList | undefined {
  const { breachList: path } = passwords;
  if (path === undefined) return undefined;
  return new LazyBreachList(() => openBreachList(path, { logger, observer: unobserved }));
}

const EXPECTED = 'the path of a list that latchkey passwords build-list made';
