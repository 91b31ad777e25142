import { frameTexts as frame } from './de/frame.js';
import { invitationTexts as invitation } from './de/invitation.js';
import {
  accountDeletionTexts as accountDeletion,
  emailChangedTexts as emailChanged,
  emailChangeTexts as emailChange,
  mailedSignInTexts as mailedSignIn,
  passwordResetTexts as passwordReset,
} from './de/links.js';
import {
  actedForTexts as actedFor,
  apiKeyTexts as apiKey,
  factorTexts as factor,
  identityTexts as identity,
  newDeviceTexts as newDevice,
  noticeTexts as notice,
  passkeyTexts as passkey,
  passwordChangedTexts as passwordChanged,
  recoveryCodeTexts as recoveryCode,
  roleChangedTexts as roleChanged,
  trustedDeviceTexts as trustedDevice,
  wrongCodesTexts as wrongCodes,
} from './de/notices.js';
import {
  approvalWaitingTexts as approvalWaiting,
  testMailTexts as testMail,
  webhookDisabledTexts as webhookDisabled,
} from './de/operators.js';
import {
  emailVerificationTexts as emailVerification,
  pendingRegistrationTexts as pendingRegistration,
  registrationDecisionTexts as registrationDecision,
  registrationTexts as registration,
} from './de/registration.js';
import { roleTexts as roles } from './de/roles.js';
import { timeTexts as times } from './de/times.js';
import type { en } from './en.js';
import type { Translation } from './translation.js';

/** The texts of mails, in German. */
export const de: Translation<typeof en> = {
  frame,
  times,
  roles,
  registration,
  emailVerification,
  pendingRegistration,
  registrationDecision,
  invitation,
  passwordReset,
  mailedSignIn,
  emailChange,
  emailChanged,
  accountDeletion,
  notice,
  passwordChanged,
  passkey,
  apiKey,
  factor,
  trustedDevice,
  identity,
  recoveryCode,
  wrongCodes,
  newDevice,
  actedFor,
  roleChanged,
  approvalWaiting,
  testMail,
  webhookDisabled,
};
