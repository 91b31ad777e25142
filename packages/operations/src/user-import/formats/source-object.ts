/** A JSON object of a source file, or a row of a CSV file by its columns. */
export type SourceObject = Readonly<Record<string, unknown>>;

export const isSourceObject = (value: unknown): value is SourceObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the text without the spaces around it; undefined for an empty text and any other value. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

/** The spellings of JSON, of databases and of spreadsheets in several languages. */
const FLAGS = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1', '1.0', 'wahr', 'ja', 'vrai', 'oui'].map(
    (text) => [text, true] as const,
  ),
  ...['false', 'f', 'no', 'n', 'off', '0', '0.0', 'falsch', 'nein', 'faux', 'non'].map(
    (text) => [text, false] as const,
  ),
]);

/** Returns a boolean, also one that is written as text or number; undefined for any other value. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const isScalar = typeof value === 'string' || typeof value === 'number';
  return isScalar ? FLAGS.get(String(value).trim().toLowerCase()) : undefined;
}

/** Returns an object, also one that is written as text; an empty object for any other value. */
export function objectOf(value: unknown): SourceObject {
  const parsed = typeof value === 'string' ? parsedJson(value) : value;
  return isSourceObject(parsed) ? parsed : {};
}

/** Returns the objects of a list. */
export const objectsOf = (value: unknown): readonly SourceObject[] =>
  Array.isArray(value) ? value.filter(isSourceObject) : [];

/** Returns the first text of several values. */
export const firstText = (...values: readonly unknown[]): string | undefined => {
  for (const value of values) {
    const text = textOf(value);
    if (text !== undefined) return text;
  }
  return undefined;
};

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
