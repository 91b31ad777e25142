/** Escapes control characters that JSON allows and a terminal would obey. */
const escaped = (json: string): string =>
  json.replace(
    /[\u007F-\u009F]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns indented JSON. */
export const toJson = (view: unknown): string => escaped(JSON.stringify(view, null, 2));

/** Returns JSON in one line. */
export const toJsonLine = (view: unknown): string => escaped(JSON.stringify(view));
