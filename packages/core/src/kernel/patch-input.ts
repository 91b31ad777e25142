import type { z } from 'zod';

/** Requires that a patch changes something. Fields that are undefined count as left out. */
export const atLeastOneField = <Schema extends z.ZodObject>(patch: Schema): Schema =>
  required(patch, changesSomething);

/** Requires that a patch changes something beside a field that changes nothing, such as a reason. */
export const atLeastOneFieldBesides = <Schema extends z.ZodObject>(
  name: keyof Schema['shape'],
  patch: Schema,
): Schema => required(patch, (input) => changesSomething({ ...input, [name]: undefined }));

const required = <Schema extends z.ZodObject>(patch: Schema, changes: (input: object) => boolean): Schema =>
  patch
    .refine(changes, {
      error: 'at least one field to change is needed',
      params: { reason: 'required' },
    })
    .meta({ minProperties: 1 });

const changesSomething = (patch: object): boolean =>
  Object.values(patch).some((value) => value !== undefined);
