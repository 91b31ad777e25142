import { Problem } from './setting-kind.js';

/** Strings, with the colon after those that are names of fields, and the ends of objects. */
const TOKENS = /"(?:[^"\\]|\\.)*"(?=\s*(:)?)|[{}]/gs;

/**
 * Returns the value of JSON text. Text that is no JSON is a problem, and so is a field that an object has twice: the parser would ignore
 * the first one. Neither message quotes the text, which may be secret.
 */
export function readJsonText(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Problem('the text is not JSON');
  }
  return hasRepeatedField(text)
    ? new Problem('an object has a field twice; one of the two would be ignored')
    : value;
}

/**
 * Returns true if an object of the JSON text has a field twice, of which a parser ignores one.
 * @example
 * ```ts
 * hasRepeatedField('{ "port": 1, "port": 2 }'); // → true
 * hasRepeatedField('{ "port": 1, "inner": { "port": 2 } }'); // → false
 * ```
 */
export function hasRepeatedField(json: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token, colon] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const fields = open.at(-1);
      const name: unknown = JSON.parse(token);
      if (fields?.has(name)) return true;
      fields?.add(name);
    }
  }
  return false;
}
