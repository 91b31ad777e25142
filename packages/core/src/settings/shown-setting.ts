import type { GivenSetting } from './environment.js';
import { shownSecret } from './fingerprint.js';
import { quote, withoutCredentials } from './quote.js';
import { Secret } from './secret.js';
import type { SettingDefinition } from './setting-definition.js';

const HIDDEN = '(hidden)';

/** Returns the text of a setting as it may be shown; for a secret, a fingerprint if that is safe. */
export function shownText(definition: SettingDefinition, text: string): string {
  if (!definition.secret) return withoutCredentials(text);
  const parsed = definition.parse(text);
  return parsed.ok && parsed.value instanceof Secret ? shownSecret(parsed.value.reveal()) : 'set';
}

/** Returns the `found` of a fault: the text, its origin, and the problem. */
export function shownFault(definition: SettingDefinition, given: GivenSetting, problem: string): string {
  const text = definition.secret ? HIDDEN : quote(given.text);
  const found = `${text} from ${shownOrigin(given)}`;
  return problem === '' ? found : `${found}: ${problem}`;
}

function shownOrigin({ origin, path }: GivenSetting): string {
  if (path !== undefined) return `the file ${path}`;
  if (origin === 'command') return 'the command line';
  return origin === 'environment' ? 'the environment' : 'the .env file';
}
