import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import type { Messages } from './messages/messages.js';
import { commonData, passwordData } from './page-data.js';
import type { PageContent } from './page-frame.js';

/** `GET /accept-invitation?token=…`: shows the offer of an invitation, which the user accepts with a button. */
export const acceptInvitationPage = (
  auth: Auth,
  _request: HttpRequest,
  { acceptInvitation }: Messages,
): PageContent => ({
  title: acceptInvitation.title,
  script: 'accept-invitation.js',
  data: { ...passwordData(auth), 'has-console': String(auth.settings.console.enabled) },
  choosesPassword: true,
  signsIn: true,
});

/** `GET /reset-password`: requests the mail; with the token from that mail, sets the new password. */
export const resetPasswordPage = (
  auth: Auth,
  _request: HttpRequest,
  { resetPassword }: Messages,
): PageContent => ({
  title: resetPassword.title,
  script: 'reset-password.js',
  data: { ...passwordData(auth), 'removes-passkeys': String(auth.settings.passkeys.enabled) },
  choosesPassword: true,
});

/** `GET /verify-email`: proves the mailbox by a button if staff decide on registrations, else by the password. */
export const verifyEmailPage = (
  auth: Auth,
  _request: HttpRequest,
  { verifyEmail }: Messages,
): PageContent => ({
  title: verifyEmail.title,
  script: 'verify-email.js',
  data: {
    ...commonData(auth),
    // The links of new registrations. For others, the route asks for the password.
    'needs-password': String(auth.settings.registration.approval !== 'staff'),
  },
});

/** `GET /reject-registration`: deletes a registration that someone else made with the email of this mailbox. */
export const rejectRegistrationPage = buttonPage('rejectRegistration');

/** `GET /change-email`: confirms a new email address. */
export const changeEmailPage = buttonPage('changeEmail');

/** `GET /undo-email-change`: restores the former email address, for its owner. */
export const undoEmailChangePage = buttonPage('undoEmailChange');

/** `GET /undo-deletion`: keeps an account that is about to be deleted. */
export const undoDeletionPage = buttonPage('undoDeletion');

/** Returns a page whose only button sends the token of its link to a route. */
function buttonPage(link: 'rejectRegistration' | 'changeEmail' | 'undoEmailChange' | 'undoDeletion') {
  return (auth: Auth, _request: HttpRequest, { mailedLinks }: Messages): PageContent => ({
    title: mailedLinks[link].title,
    script: 'mailed-link.js',
    data: { ...commonData(auth), link },
  });
}
