import { parseAllDocuments } from 'yaml';

export type YamlMap = Readonly<Record<string, unknown>>;

/** The documents of a YAML file, and what is wrong with it: duplicate keys, unknown tags, bad indentation. */
export function readYaml(text: string): { documents: YamlMap[]; faults: string[] } {
  // Merge keys are of YAML 1.1, and Compose knows them; the rest is read as YAML 1.2.
  const parsed = parseAllDocuments(text, { merge: true, uniqueKeys: true, strict: true });
  const documents = 'empty' in parsed ? [] : parsed;
  return {
    documents: documents.map((document) => asMap(document.toJS())),
    faults: documents.flatMap(({ errors, warnings }) =>
      [...errors, ...warnings].map(({ message }) => message.split('\n')[0] ?? message),
    ),
  };
}

/** Returns the value at a path of keys and indices, or undefined where the path ends sooner. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined),
    value,
  );
}

/** A map, or an empty one for anything else. */
export function asMap(value: unknown): YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as YamlMap) : {};
}

/** A list, or an empty one for anything else. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text, a number or a truth as text; anything else is empty. */
export const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
