const PARAMETER = 'ui_locales';

const wanted = new URLSearchParams(location.search).get(PARAMETER);
const language: Record<string, string> = wanted === null ? {} : { [PARAMETER]: wanted };

/** Returns the query of this page's address without anything but the languages. */
export const languageQuery = (): string => queryOf(language);

/** Returns the address of another page with the languages that the address of this one asks for. @param name the last part of its path. */
export const linkTo = (name: string, parameters: Record<string, string> = {}): string =>
  name + queryOf({ ...parameters, ...language });

function queryOf(parameters: Record<string, string>): string {
  const query = new URLSearchParams(parameters).toString();
  return query === '' ? '' : `?${query}`;
}
