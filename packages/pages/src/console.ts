import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import type { Messages } from './messages/messages.js';
import { appData } from './page-data.js';
import type { PageContent } from './page-frame.js';

/** `GET /console` and every path below it: the console of platform staff, which shows the view of the address. */
export const consolePage = (auth: Auth, _request: HttpRequest, { staffConsole }: Messages): PageContent => ({
  layout: 'console',
  title: staffConsole.title,
  script: 'console.js',
  data: appData(auth),
});
