import type { GivenSetting } from './environment.js';
import { shownSecret } from './fingerprint.js';
import { quote, withoutCredentials } from './quote.js';
import { Secret } from './secret.js';
import type { SettingDefinition } from './setting-definition.js';

const HIDDEN = '(hidden)';

/** The text of a setting as people may see it; of a secret, what tells it from another where that is safe. */
export function shownText(definition: SettingDefinition, text: string): string {
  if (!definition.secret) return withoutCredentials(text);
  const parsed = definition.parse(text);
  return parsed.ok && parsed.value instanceof Secret ? shownSecret(parsed.value.reveal()) : 'set';
}

/** What a fault says was found: the text, where it came from, and what in particular is wrong with it. */
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
