import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import { mailedLinkPage } from './mailed-link-page.js';
import type { Messages } from './messages/messages.js';
import type { PageContent } from './page-frame.js';

/** `GET /reject-registration`: deletes a registration for the owner of its mailbox, who did not register. */
export const rejectRegistrationPage = (auth: Auth, _request: HttpRequest, messages: Messages): PageContent =>
  mailedLinkPage(auth, messages, {
    texts: messages.mailedLinks.rejectRegistration,
    route: '/auth/email/verify/reject',
    tokenKey: 'latchkey.registration-rejection',
  });
