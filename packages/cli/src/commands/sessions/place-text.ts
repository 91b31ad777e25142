import type { SessionView } from '@latchkey/core';

/** Returns the city, if it is known, and the country. The names of countries are loaded here: that takes as long as a short command. */
export function placeText({ city, country }: NonNullable<SessionView['place']>): string {
  const countries = new Intl.DisplayNames('en', { type: 'region' });
  return [city, countries.of(country)].filter(Boolean).join(', ');
}
