import { acceptInvitationMessages as acceptInvitation } from './en/accept-invitation.js';
import { accountMessages as account } from './en/account.js';
import { companyTitleMessages as company } from './en/company.js';
import { consoleMessages as staffConsole } from './en/console.js';
import { externalMessages as external } from './en/external.js';
import { firstRunMessages as firstRun } from './en/first-run.js';
import { frameMessages as frame } from './en/frame.js';
import { loginMessages as login } from './en/login.js';
import { mailedLinkMessages as mailedLinks } from './en/mailed-links.js';
import { notFoundMessages as notFound } from './en/not-found.js';
import { registerMessages as register } from './en/register.js';
import { resetPasswordMessages as resetPassword } from './en/reset-password.js';
import { secondFactorMessages as secondFactor } from './en/second-factor.js';
import { verifyEmailMessages as verifyEmail } from './en/verify-email.js';

/** The texts that the service renders, in English. */
export const en = {
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
