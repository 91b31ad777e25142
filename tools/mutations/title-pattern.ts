const PLACEHOLDER = /%[a-z#%]|\$\w+(?:\.\w+)*/g;

/** Returns what matches these titles. Groups that a function puts around its tests are not part of a title on the page. */
export const titlePattern = (titles: readonly string[]): RegExp =>
  new RegExp(`^(?:.* )?(?:${titles.map(patternOf).join('|')})$`);

/** Vitest joins groups and title with spaces and fills in placeholders. */
const patternOf = (title: string): string =>
  title
    .split(' › ')
    .map((part) => part.split(PLACEHOLDER).map(escaped).join('.*'))
    .join(' ');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
