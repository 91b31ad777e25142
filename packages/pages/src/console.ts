import type { Auth } from '@latchkey/core';
import type { HttpRequest } from '@latchkey/http/internal';
import { firstRunOf } from './first-run.js';
import type { Messages } from './messages/messages.js';
import { appData } from './page-data.js';
import type { PageContent } from './page-frame.js';

/** `GET /console` and every path below it: the console of platform staff, which shows the view of the address. */
export const consolePage = (auth: Auth, request: HttpRequest, { staffConsole }: Messages): PageContent => ({
  layout: 'console',
  title: staffConsole.title,
  script: 'console.js',
  data: {
    ...appData(auth),
    'is-trial': String(isTrial(auth, request)),
    ...(auth.staffActing && {
      'acting-minutes': String(Math.floor(auth.settings.sessions.acting.maxLifetime / 60)),
    }),
  },
});

/** Reports whether `/` says what production needs: on the standalone service in development, to requests of the same machine. */
function isTrial(auth: Auth, request: HttpRequest): boolean {
  const firstRun = firstRunOf(auth);
  return firstRun.isLinked && firstRun.isOpenTo(request);
}
