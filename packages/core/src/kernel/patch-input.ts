import type { z } from 'zod';

/** Requires that a patch changes something. Fields that are undefined count as left out. */
export const atLeastOneField = <Schema extends z.ZodObject>(patch: Schema): Schema =>
  patch
    .refine(changesSomething, {
      error: 'at least one field to change is needed',
      params: { reason: 'required' },
    })
    .meta({ minProperties: 1 });

const changesSomething = (patch: object): boolean =>
  Object.values(patch).some((value) => value !== undefined);
