import { acceptInvitationMessages as acceptInvitation } from './de/accept-invitation.js';
import { accountMessages as account } from './de/account.js';
import { companyTitleMessages as company } from './de/company.js';
import { consoleMessages as staffConsole } from './de/console.js';
import { externalMessages as external } from './de/external.js';
import { firstRunMessages as firstRun } from './de/first-run.js';
import { frameMessages as frame } from './de/frame.js';
import { loginMessages as login } from './de/login.js';
import { mailedLinkMessages as mailedLinks } from './de/mailed-links.js';
import { notFoundMessages as notFound } from './de/not-found.js';
import { registerMessages as register } from './de/register.js';
import { resetPasswordMessages as resetPassword } from './de/reset-password.js';
import { secondFactorMessages as secondFactor } from './de/second-factor.js';
import { verifyEmailMessages as verifyEmail } from './de/verify-email.js';
import type { en } from './en.js';
import type { Translation } from './translation.js';

/** The texts that the service renders, in German. */
export const de: Translation<typeof en> = {
  acceptInvitation,
  account,
  company,
  external,
  firstRun,
  frame,
  login,
  mailedLinks,
  notFound,
  register,
  resetPassword,
  secondFactor,
  staffConsole,
  verifyEmail,
};
