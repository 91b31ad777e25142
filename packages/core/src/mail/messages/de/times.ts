import type { timeTexts as english } from '../en/times.js';
import { lifetimeIn, timeFormat } from '../time-formats.js';
import type { Translation } from '../translation.js';

const FORMAT = timeFormat('de-DE');

export const timeTexts: Translation<typeof english> = {
  at: (time) => `${FORMAT.format(time)} Uhr (UTC)`,
  on: (time) => `am ${FORMAT.format(time)} Uhr (UTC)`,
  lifetime: (seconds) => lifetimeIn('de-DE', seconds),
};
