import type { frameTexts as english } from '../en/frame.js';
import type { Translation } from '../translation.js';

export const frameTexts: Translation<typeof english> = {
  greeting: (name) => (name === null ? 'Guten Tag,' : `Guten Tag ${name},`),
  footer: ({ product, reason }) => `Gesendet von ${product}. Sie erhalten diese E-Mail, weil ${reason}.`,
  orOpen: 'Oder öffnen Sie diese Adresse:',
  support: 'Hilfe erhalten',
};
