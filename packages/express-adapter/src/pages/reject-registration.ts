import type { Auth } from '@latchkey/core';
import { mailedLinkPage } from './mailed-link-page.js';
import { markup } from './markup.js';
import type { PageContent } from './page-frame.js';

/** `GET /reject-registration`: deletes a registration for the owner of its mailbox, who did not register. */
export const rejectRegistrationPage = (auth: Auth): PageContent =>
  mailedLinkPage(auth, {
    title: 'Delete a registration',
    route: '/auth/email/verify/reject',
    tokenKey: 'latchkey.registration-rejection',
    confirm: {
      heading: 'Did someone else register with your email?',
      content: markup`
<p class="lead">If you didn't register, delete the registration. It can't be used then, and your email address is free again.</p>`,
      button: 'This was not me: delete it',
    },
    states: {
      done: {
        heading: 'The registration is deleted',
        content: markup`<p class="lead">Nothing of it is left. You can close this page.</p>`,
      },
      unusable: {
        heading: 'This link no longer works',
        content: markup`
<p class="lead">It has expired, or the registration was already confirmed, approved or deleted. If you get more mails about an account that isn't yours, contact the administrator.</p>`,
      },
    },
  });
