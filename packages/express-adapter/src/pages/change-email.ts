import type { Auth } from '@latchkey/core';
import { linkButton } from './controls.js';
import { mailedLinkPage } from './mailed-link-page.js';
import { markup } from './markup.js';
import type { PageContent } from './page-frame.js';
import { siblingPath, LOGIN_PATH, RESET_PATH } from './page-paths.js';

/** `GET /change-email`: confirms a new email address. */
export const changeEmailPage = (auth: Auth): PageContent =>
  mailedLinkPage(auth, {
    title: 'Confirm your new email address',
    route: '/auth/email/change/confirm',
    tokenKey: 'latchkey.email-change',
    confirm: {
      heading: 'Use this email address from now on?',
      content: markup`
<p class="lead">You'll sign in with it, and all mail goes there. All other devices are signed out.</p>`,
      button: 'Use this address',
    },
    states: {
      done: {
        heading: 'Your email address is changed',
        content: markup`
<p class="lead">Your former address gets a notice. You can close this page, or sign in with the new address.</p>
<div class="actions">${linkButton(siblingPath(LOGIN_PATH), 'Sign in', 'primary')}</div>`,
      },
      unusable: {
        heading: 'This link no longer works',
        content: markup`
<p class="lead">It has expired, was already used, or was replaced by a newer one. To use this address, request the change again.</p>`,
      },
      taken: {
        heading: 'This email address has another account',
        content: markup`
<p class="lead">An account can't use the address of another one. Your email address is unchanged.</p>`,
      },
    },
  });

/** `GET /undo-email-change`: restores the former email address, for its owner. */
export const undoEmailChangePage = (auth: Auth): PageContent =>
  mailedLinkPage(auth, {
    title: 'Restore your email address',
    route: '/auth/email/change/undo',
    tokenKey: 'latchkey.email-change-undo',
    confirm: {
      heading: 'Take your account back?',
      content: markup`
<p class="lead">If you didn't change the email address of your account, undo it. All devices are signed out, passkeys are removed, and the password stops working, so you'll choose a new one.</p>`,
      button: 'Undo the change',
    },
    states: {
      done: {
        heading: 'Your email address is restored',
        content: markup`
<p class="lead">The old password no longer works. Request a link to this address and choose a new one.</p>
<div class="actions">${linkButton(siblingPath(RESET_PATH), 'Choose a new password', 'primary')}</div>`,
      },
      unusable: {
        heading: 'This link no longer works',
        content: markup`
<p class="lead">It has expired or was already used. If you can't sign in, contact your administrator.</p>`,
      },
      taken: {
        heading: 'This email address has another account',
        content: markup`
<p class="lead">It was given to another account. Contact your administrator.</p>`,
      },
    },
  });
