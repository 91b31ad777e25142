/** JSON leaves some control characters as they are; a terminal would obey them. */
const escaped = (json: string): string =>
  json.replace(
    /[\u007F-\u009F]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** For people and programs. */
export const toJson = (view: unknown): string => escaped(JSON.stringify(view, null, 2));

/** The same in one line. */
export const toJsonLine = (view: unknown): string => escaped(JSON.stringify(view));
