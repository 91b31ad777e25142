import { emailChangePreview, verificationPreview } from '@latchkey/core/schemas';
import { EMAIL, example } from './example.js';

/** Examples of what mailed links are about. */
export const MAILED_LINK_EXAMPLES = [
  example(emailChangePreview, { email: 'ann.new@example.com', currentEmail: 'a•••@example.com' }),
  example(verificationPreview, { email: EMAIL }),
];
