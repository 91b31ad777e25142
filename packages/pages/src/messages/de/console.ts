import type { consoleMessages as english } from '../en/console.js';
import type { Translation } from '../translation.js';

export const consoleMessages: Translation<typeof english> = {
  title: 'Konsole',
};
