import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import { linkButton } from './controls.js';
import { mailedLinkPage } from './mailed-link-page.js';
import type { Messages } from './messages/messages.js';
import type { PageContent } from './page-frame.js';
import { siblingPath, LOGIN_PATH, RESET_PATH } from './page-paths.js';

/** `GET /change-email`: confirms a new email address. */
export const changeEmailPage = (auth: Auth, _request: HttpRequest, messages: Messages): PageContent =>
  mailedLinkPage(auth, messages, {
    texts: messages.mailedLinks.changeEmail,
    route: '/auth/email/change/confirm',
    tokenKey: 'latchkey.email-change',
    next: linkButton(siblingPath(LOGIN_PATH), messages.mailedLinks.signIn, 'primary'),
  });

/** `GET /undo-email-change`: restores the former email address, for its owner. */
export const undoEmailChangePage = (auth: Auth, _request: HttpRequest, messages: Messages): PageContent =>
  mailedLinkPage(auth, messages, {
    texts: messages.mailedLinks.undoEmailChange,
    route: '/auth/email/change/undo',
    tokenKey: 'latchkey.email-change-undo',
    next: linkButton(siblingPath(RESET_PATH), messages.mailedLinks.undoEmailChange.choosePassword, 'primary'),
  });
