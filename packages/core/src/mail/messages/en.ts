import { frameTexts as frame } from './en/frame.js';
import { invitationTexts as invitation } from './en/invitation.js';
import {
  accountDeletionTexts as accountDeletion,
  emailChangedTexts as emailChanged,
  emailChangeTexts as emailChange,
  mailedSignInTexts as mailedSignIn,
  passwordResetTexts as passwordReset,
} from './en/links.js';
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
} from './en/notices.js';
import {
  approvalWaitingTexts as approvalWaiting,
  testMailTexts as testMail,
  webhookDisabledTexts as webhookDisabled,
} from './en/operators.js';
import {
  emailVerificationTexts as emailVerification,
  pendingRegistrationTexts as pendingRegistration,
  registrationDecisionTexts as registrationDecision,
  registrationTexts as registration,
} from './en/registration.js';
import { roleTexts as roles } from './en/roles.js';
import { timeTexts as times } from './en/times.js';

/** The texts of mails, in English. */
export const en = {
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
