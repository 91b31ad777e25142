import { z } from 'zod';
import { statedReasonInput } from '../users/user-schema.js';
import { MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, MIN_PICTURE_SIDE, PICTURE_TYPES } from './picture.js';

const MAX_BASE64_LENGTH = Math.ceil(MAX_PICTURE_BYTES / 3) * 4;

/** Input of `auth.profilePictures.set`: the file. */
export const profilePictureInput = z.object({
  content: z
    .string()
    .max(MAX_BASE64_LENGTH)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')
    .describe(
      `The file in base64: a WebP, JPEG or PNG picture of at most 64 KiB, ${MIN_PICTURE_SIDE} to ${MAX_PICTURE_SIDE} pixels wide and high.`,
    ),
});
/** A picture for the profile: the file in base64. */
export type ProfilePictureInput = z.input<typeof profilePictureInput>;

/** Reply of an upload: the address, and what is kept. */
export const profilePictureView = z
  .object({
    profilePictureUrl: z.url().describe('The address of the picture, until it is replaced or removed.'),
    contentType: z.enum(PICTURE_TYPES),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: 'ProfilePicture' });
/** An uploaded picture: its address, format and size in pixels. */
export type ProfilePictureView = z.output<typeof profilePictureView>;

/** The secret part of the address of a picture. */
export const pictureIdInput = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')
  .describe('The secret part of the address: 32 hexadecimal digits.');

/** Why staff remove a picture. */
export const removePictureInput = z.object({ reason: statedReasonInput });
/** Why a picture is removed. */
export type RemovePicture = z.input<typeof removePictureInput>;
