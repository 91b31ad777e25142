import type { Settings } from '@latchkey/core/internal/settings/settings';

/** Returns true for a service in production. */
export const isProduction = ({ environment }: Pick<Settings, 'environment'>): boolean =>
  environment === 'production';
