import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { LatchkeyError, type LatchkeyClient } from './latchkey-client.js';
import {
  homePage,
  isRefusal,
  refusalPage,
  REFUSALS,
  signedOutPage,
  type Person,
  type Refusal,
} from './pages.js';
import { WebSession } from './web-session.js';
import { WebSessions } from './web-sessions.js';

/** Creates the target web app of the hand-off. `secure`: it is served over HTTPS. */
export function webApp(latchkey: LatchkeyClient, { secure }: { secure: boolean }): Express {
  const sessions = new WebSessions({ secure });
  const app = express();
  app.disable('x-powered-by');
  app.use(protectiveHeaders);

  app.get('/landing', async (request, response) => {
    if (onlyLooks(request)) {
      response.status(204).end();
      return;
    }
    try {
      const session = await WebSession.fromCode(latchkey, codeIn(request));
      await sessions
        .of(request)
        ?.end()
        .catch(() => undefined);
      sessions.forget(request, response);
      sessions.begin(response, session);
      // Removes the code from the address bar and the history, like the redirect below.
      response.redirect(303, '/');
    } catch (error) {
      response.redirect(303, `/not-signed-in?why=${refusalOf(error)}`);
    }
  });

  app.get('/not-signed-in', (request, response) => {
    const why = isRefusal(request.query.why) ? request.query.why : 'used';
    response.status(REFUSALS[why].status).send(refusalPage(why));
  });

  app.get('/', async (request, response) => {
    const session = sessions.of(request);
    const person = await session?.get<Person>('/auth/me').catch(unlessOver);
    if (session && person) {
      response.send(homePage(person, session.companyId));
    } else {
      sessions.forget(request, response);
      response.send(signedOutPage());
    }
  });

  // Other sites cannot trigger this: with SameSite=Lax their requests carry no cookie.
  app.post('/sign-out', async (request, response) => {
    await sessions.of(request)?.end();
    sessions.forget(request, response);
    response.redirect(303, '/');
  });

  app.use(failures);
  return app;
}

const protectiveHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    // Other sites must not see addresses with a code.
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};

/** True for prefetching browsers and scanners, which must not spend the code. */
const onlyLooks = (request: Request): boolean =>
  request.method === 'HEAD' || (request.get('sec-purpose') ?? '').startsWith('prefetch');

const codeIn = ({ query: { code } }: Request): string => (typeof code === 'string' ? code : '');

const ACCOUNT = ['account_inactive', 'pending_approval', 'registration_rejected'];
const OVER = [...ACCOUNT, 'unauthorized', 'session_revoked'];
const USED = ['unauthorized', 'validation_error'];

function refusalOf(error: unknown): Refusal {
  const code = error instanceof LatchkeyError ? error.code : '';
  if (USED.includes(code)) return 'used';
  return ACCOUNT.includes(code) ? 'account' : 'unavailable';
}

/** Returns undefined if the session has ended, and throws otherwise: a network failure ends no session. */
function unlessOver(error: unknown): undefined {
  if (error instanceof LatchkeyError && OVER.includes(error.code)) return undefined;
  throw error;
}

const failures: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  console.error(error);
  response.status(503).send(refusalPage('unavailable'));
};
