import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import type { Messages } from './messages/messages.js';
import { appData } from './page-data.js';
import type { PageContent } from './page-frame.js';

/** `GET /external/callback/{connectionId}`: ends a sign-in by another service, with what the browser brings back. */
export const externalCallbackPage = (
  auth: Auth,
  _request: HttpRequest,
  { external }: Messages,
): PageContent => ({
  title: external.title,
  script: 'external-callback.js',
  data: appData(auth),
  signsIn: true,
});
