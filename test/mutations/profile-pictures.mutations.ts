import type { Mutation } from './mutation.js';

const FILES =
  'An uploaded picture is a WebP, JPEG or PNG file of limited size; any other file, a truncated one and an animated one are refused.';
const METADATA =
  'Of an uploaded picture only what makes the picture is kept: no place, no camera, no text, and nothing behind its end.';
const SERVED =
  'A picture is served with the type that was recognized, runs nothing, and is kept by no cache that users share.';
const ADDRESS = 'The address of a picture ends when the picture is replaced, removed or erased.';
const CALLERS =
  'A picture is uploaded and removed by its user and by staff of a higher role, and neither by API keys nor while an actor acts.';
const LIMIT = 'A user uploads at most 20 pictures an hour.';
const HOSTS = 'Pages request no picture from another host.';

const FOLDER = 'packages/core/src/profile-pictures';
const SERVICE = `${FOLDER}/profile-picture-service.ts`;
const RESPONSE = 'packages/http/src/routing/file-response.ts';

/** Defects in pictures of users. */
export const profilePictureMutations: readonly Mutation[] = [
  {
    promise: FILES,
    defect: 'a picture may have any size in its header',
    file: `${FOLDER}/read-picture.ts`,
    from: '|| Math.max(width, height) > MAX_PICTURE_SIDE',
    to: '',
  },
  {
    promise: FILES,
    defect: 'a damaged PNG is kept',
    file: `${FOLDER}/png.ts`,
    from: 'if (crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4)) throw truncated();',
    to: '',
  },
  {
    promise: FILES,
    defect: 'an animated WebP is kept',
    file: `${FOLDER}/webp.ts`,
    from: 'if ((data.readUInt8(0) & ANIMATION_FLAG) !== 0) throw animated();',
    to: '',
  },
  {
    promise: METADATA,
    defect: 'the place stays in a JPEG',
    file: `${FOLDER}/jpeg.ts`,
    from: 'if (isDropped(marker)) continue;',
    to: 'if (marker !== 0xe1 && isDropped(marker)) continue;',
  },
  {
    promise: METADATA,
    defect: 'texts stay in a PNG',
    file: `${FOLDER}/png.ts`,
    from: "'tRNS', ",
    to: "'tRNS', 'tEXt', ",
  },
  {
    promise: METADATA,
    defect: 'all chunks of a WebP are kept',
    file: `${FOLDER}/webp.ts`,
    from: ': [image.whole];',
    to: ': chunks.map(({ whole }) => whole);',
  },
  {
    promise: SERVED,
    defect: 'shared caches keep a picture that was removed',
    file: RESPONSE,
    from: '`private, max-age=',
    to: '`public, max-age=',
  },
  {
    promise: SERVED,
    defect: 'a picture that is opened by itself has the origin of the service',
    file: RESPONSE,
    from: "'none'; sandbox;",
    to: "'none';",
  },
  {
    promise: ADDRESS,
    defect: 'an upload keeps the former address',
    file: `${FOLDER}/profile-picture-repository.ts`,
    from: 'SET id = excluded.id, content',
    to: 'SET content',
  },
  {
    promise: CALLERS,
    defect: 'staff remove the pictures of users of their own role',
    file: `${FOLDER}/picture-administration.ts`,
    from: "action: 'edit'",
    to: "action: 'read'",
  },
  {
    promise: LIMIT,
    defect: 'uploads are not counted',
    file: SERVICE,
    from: 'await this.#assertMayUpload(userId, trx);',
    to: '',
  },
  {
    promise: HOSTS,
    defect: 'clients show pictures of other hosts',
    file: 'packages/client/src/account/account.ts',
    from: 'return id && `${this.#deps.baseUrl}/auth/pictures/${id}`;',
    to: 'return id ? `${this.#deps.baseUrl}/auth/pictures/${id}` : profilePictureUrl;',
  },
];
