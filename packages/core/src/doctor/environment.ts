import type { Settings } from '../settings/settings.js';

/** Returns true for a service in production. */
export const isProduction = ({ environment }: Pick<Settings, 'environment'>): boolean =>
  environment === 'production';
