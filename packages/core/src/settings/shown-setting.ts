import type { GivenSetting } from './environment.js';
import { quote, withoutCredentials } from './quote.js';
import type { SettingDefinition } from './setting-definition.js';

const HIDDEN = '(hidden)';

/** The text of a setting as people may see it. */
export function shownText(definition: SettingDefinition, text: string): string {
  return definition.secret ? HIDDEN : withoutCredentials(text);
}

/** What a fault says was found: the text, where it came from, and what in particular is wrong with it. */
export function shownFault(definition: SettingDefinition, given: GivenSetting, problem: string): string {
  const text = definition.secret ? HIDDEN : quote(given.text);
  const found = `${text} from ${shownOrigin(given)}`;
  return problem === '' ? found : `${found}: ${problem}`;
}

function shownOrigin(given: GivenSetting): string {
  if (given.origin === 'file') return `the file ${given.path ?? ''}`;
  return given.origin === 'environment' ? 'the environment' : 'the .env file';
}
