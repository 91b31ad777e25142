import type { VNode } from 'preact';
import type { Schemas } from '@latchkey/client';
import { placeMessages as messages } from '../../messages/en/ui.js';

/** City and country of an IP address; the tooltip says that they are approximate. */
export function Place({ place: { city, country } }: { place: Schemas['Place'] }): VNode {
  const countries = new Intl.DisplayNames(document.documentElement.lang, { type: 'region' });
  return <span title={messages.approximate}>{[city, countries.of(country)].filter(Boolean).join(', ')}</span>;
}
