import { frameTexts as frame } from './de/frame.js';
import { invitationTexts as invitation } from './de/invitation.js';
import { linkTexts } from './de/links.js';
import { noticeTexts } from './de/notices.js';
import { operatorTexts } from './de/operators.js';
import { registrationTexts } from './de/registration.js';
import { roleTexts as roles } from './de/roles.js';
import { timeTexts as times } from './de/times.js';
import type { en } from './en.js';
import type { Translation } from './translation.js';

/** The texts of mails, in German. */
export const de: Translation<typeof en> = {
  frame,
  times,
  roles,
  invitation,
  ...registrationTexts,
  ...linkTexts,
  ...noticeTexts,
  ...operatorTexts,
};
