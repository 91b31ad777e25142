import type { GlobalRole } from '@latchkey/core';

/** The roles of platform staff; all other users have `NONE`. */
export type PlatformRole = Exclude<GlobalRole, 'NONE'>;
