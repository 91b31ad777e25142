import { markup, type Markup } from '../markup.js';

/**
 * Returns a text whose `{name}` places are filled with texts or markup.
 * @throws TypeError when the text has a place without a value.
 */
export function fillIn(text: string, values: Record<string, string | Markup>): Markup {
  const parts = text.split(/\{(\w+)\}/);
  return markup`${parts.map((part, index) => (index % 2 === 0 ? markup`${part}` : valueOf(part, values)))}`;
}

function valueOf(name: string, values: Record<string, string | Markup>): Markup {
  const value = values[name];
  if (value === undefined) throw new TypeError(`there is no value for {${name}}`);
  return markup`${value}`;
}
