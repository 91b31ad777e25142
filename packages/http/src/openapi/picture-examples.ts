import { profilePictureInput, profilePictureView, removePictureInput } from '@latchkey/core/schemas';
import { example } from './example.js';

/** Examples of the bodies and responses of pictures. The content is a whole picture. */
export const PICTURE_EXAMPLES = [
  example(profilePictureInput, {
    content:
      'UklGRlgAAABXRUJQVlA4TEwAAAAvJ8AHEB8gJCDs9D/yR0iQQharQCDZHyiFtQQERc+ZHoi+9EBNG0mOSS7JI/mpi3VE/wUERRN4AQAAAACgtdbaQVWV5AdWhSQb7NsB',
  }),
  example(profilePictureView, {
    profilePictureUrl: 'https://auth.example.com/auth/pictures/5f0c6a1d9be24c77a3d81e90b2f4c615',
    contentType: 'image/webp',
    width: 40,
    height: 32,
  }),
  example(removePictureInput, { reason: 'Shows another person' }),
];
