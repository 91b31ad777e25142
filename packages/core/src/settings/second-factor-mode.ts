/** Values of `SECOND_FACTOR`. */
export const SECOND_FACTOR_MODES = ['off', 'optional', 'staff', 'all'] as const;

/**
 * `off`: no user is asked for a second factor. `optional`: users who have set one up are. `staff`: platform staff must have
 * one. `all`: every user must.
 */
export type SecondFactorMode = (typeof SECOND_FACTOR_MODES)[number];

/** Returns whether the rights of platform staff require a second factor. */
export const requiresStaffFactor = (mode: SecondFactorMode): boolean => mode === 'staff' || mode === 'all';
