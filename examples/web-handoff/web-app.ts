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

/** The web app that a person is handed over to. `secure`: it is served over HTTPS. */
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
      // Takes the code out of the address bar and the history; so does the refusal below.
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

  // Another site cannot make a browser do this: with SameSite=Lax its requests bring no cookie.
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
    // No other site is told an address of ours, with a code in it least of all.
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};

/** A browser that loads ahead, or a scanner, must not spend the code. */
const onlyLooks = (request: Request): boolean =>
  request.method === 'HEAD' || (request.get('sec-purpose') ?? '').startsWith('prefetch');

const codeIn = ({ query: { code } }: Request): string => (typeof code === 'string' ? code : '');

const ACCOUNT = ['account_inactive', 'pending_approval', 'registration_rejected'];
const OVER = [...ACCOUNT, 'unauthorized', 'session_revoked'];
const USED = ['unauthorized', 'validation_error'];

function refusalOf(error: unknown): Refusal {
  const code = error instanceof LatchkeyError ? error.code : '';
  if (USED.includes(code)) return 'used';
  return ACCOUNT.includes(code) ? 'account' : 'away';
}

/** Undefined for a session that is over. Nobody is signed out because a network was down. */
function unlessOver(error: unknown): undefined {
  if (error instanceof LatchkeyError && OVER.includes(error.code)) return undefined;
  throw error;
}

const failures: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  console.error(error);
  response.status(503).send(refusalPage('away'));
};
