import { lifetimeIn, timeFormat } from '../time-formats.js';

const FORMAT = timeFormat('en-GB');

/** Times and lifetimes as mails write them. */
export const timeTexts = {
  at: (time: Date) => `${FORMAT.format(time)} UTC`,
  on: (time: Date) => `on ${FORMAT.format(time)} UTC`,
  lifetime: (seconds: number) => lifetimeIn('en-GB', seconds),
};
