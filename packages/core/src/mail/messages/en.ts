import { frameTexts as frame } from './en/frame.js';
import { invitationTexts as invitation } from './en/invitation.js';
import { linkTexts } from './en/links.js';
import { noticeTexts } from './en/notices.js';
import { operatorTexts } from './en/operators.js';
import { registrationTexts } from './en/registration.js';
import { roleTexts as roles } from './en/roles.js';
import { timeTexts as times } from './en/times.js';

/** The texts of mails, in English. */
export const en = {
  frame,
  times,
  roles,
  invitation,
  ...registrationTexts,
  ...linkTexts,
  ...noticeTexts,
  ...operatorTexts,
};
