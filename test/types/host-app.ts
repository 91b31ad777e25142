/*
 * A host app as its compiler sees it, against the declarations that are published. `npm run typecheck` compiles it with
 * the strictest settings a host may have; nothing here is ever run.
 */
import express, {
  Router,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { createAuth, readSettings, type AccessView, type Auth, type GlobalRole } from '@latchkey/core';
import {
  authErrors,
  createAuthRouter,
  createGuards,
  findAuth,
  getAccess,
  getAuth,
  type AccessRequirements,
  type AuthContext,
  type Guard,
  type GuardOptions,
  type Guards,
} from '@latchkey/express-adapter';

/** Inferred types must have a name in declarations, or a host app with `declaration` does not compile. */
export const auth = await createAuth(readSettings(process.env));
export const guards = createGuards(auth, { check: 'hint', cookies: true });
export const { requireAuth, optionalAuth, requireRole, requireAccess, requireFresh, authenticate } = guards;
export const staffOnly = requireRole('PLATFORM_ADMIN', 'PLATFORM_MODERATOR');
export const router = createAuthRouter(auth, { pages: false });
export const errors = authErrors(auth);
export const fresh = [requireFresh('5m'), requireFresh(300)];

/** A guard is a handler like any other. */
export const handlers: RequestHandler[] = [requireAuth, optionalAuth, staffOnly, ...fresh];
export const guard: Guard = requireAccess({ module: 'invoices', role: ['OWNER', 'ADMIN'] });

interface InvoiceParams {
  id: string;
}
interface Invoice {
  number: string;
}
interface InvoiceQuery {
  draft?: string;
}

/** A handler of a host app that says what it takes and gives. */
export const typed: RequestHandler<
  InvoiceParams,
  Invoice,
  { note: string },
  InvoiceQuery,
  { trace: string }
> = (request, response) => {
  const { userId }: AuthContext = getAuth(request);
  const access: AccessView = getAccess(request);
  response.locals.trace = request.query.draft ?? request.body.note;
  response.json({ number: `${request.params.id}/${userId}/${access.modules.length}` });
};

export function mount(app: Express): void {
  app.use('/identity', createAuthRouter(auth));
  app.use(express.json(), optionalAuth);
  app.get('/invoices/:id', requireAuth, typed);
  app.get('/invoices/:id/:line', requireAuth, guard, (request, response) => {
    // The parameters of the path are still known behind guards.
    const line: string = request.params.line;
    response.send(line);
  });
  app.post<InvoiceParams, Invoice>('/invoices/:id', staffOnly, requireFresh('5m'), (request, response) => {
    response.json({ number: request.params.id });
  });
  app.use('/back-office', staffOnly, Router().use(requireAuth).get('/:id', typed));
  app.route('/chained').all(requireAuth).get(optionalAuth);
  app.get('/own', (request: Request, response: Response, next: NextFunction) => {
    void requireAuth(request, response, next);
  });
  app.use(authErrors(auth));
}

const use = (...values: unknown[]): number => values.length;

export function results(request: Request<InvoiceParams, Invoice>): void {
  const who: AuthContext = getAuth(request);
  const role: GlobalRole = who.globalRole;
  const methods: readonly string[] = who.amr;
  const email: string | undefined = who.user?.email;
  const maybe: AuthContext | undefined = findAuth(request);
  const company: string = getAccess(request).companyId;
  use(role, methods, email, maybe, company);
  const refused: unknown[] = [
    // @ts-expect-error the user is missing where a hint answered
    who.user.email,
    // @ts-expect-error the request may be anonymous
    findAuth(request).userId,
    // @ts-expect-error a promise is no AuthContext
    authenticate(request).userId,
    // @ts-expect-error no guard puts anything on the request: Express' own types are not touched
    request.auth,
    // @ts-expect-error the same of the names other libraries use
    request.user,
  ];
  use(refused);
}

export function mistakes(app: Express, unsettled: Promise<Auth>, roles: GlobalRole[]): void {
  // @ts-expect-error an await is missing
  createAuthRouter(unsettled);
  // @ts-expect-error settings are no auth
  createGuards(readSettings({}));
  // @ts-expect-error the option is called pages
  createAuthRouter(auth, { page: false });
  // @ts-expect-error the settings are missing
  void createAuth();
  // @ts-expect-error an environment is no settings
  void createAuth(process.env);
  // @ts-expect-error hooks are given as before
  void createAuth(readSettings({}), { hooks: {} });
  // @ts-expect-error an address is a secret, which is revealed by its name
  const url: string | undefined = readSettings({}).database.url;
  use([url]);
  // @ts-expect-error there are two ways to check
  createGuards(auth, { check: 'redis' });
  // @ts-expect-error requireAuth is a middleware itself
  app.get('/', requireAuth());
  // @ts-expect-error requireRole makes one
  app.get('/', requireRole);
  // @ts-expect-error there is no such role
  requireRole('ADMIN');
  // @ts-expect-error NONE is no role
  requireRole('NONE');
  // @ts-expect-error which may be among these
  requireRole(...roles);
  // @ts-expect-error roles are not given as a list
  requireRole(['PLATFORM_ADMIN']);
  // @ts-expect-error something must be needed
  requireAccess({});
  // @ts-expect-error there is no such need
  requireAccess({ modules: ['invoices'] });
  // @ts-expect-error one module at a time
  requireAccess({ module: ['invoices'] });
  // @ts-expect-error a need without a value would let everybody in
  requireAccess({ module: undefined });
  // @ts-expect-error an age is needed
  requireFresh();
  // @ts-expect-error the caller of what?
  getAuth();
}

/** An example of functions that a host app writes over these types. */
export function adminsOf(needs: AccessRequirements, options: GuardOptions, of: Guards): Guard[] {
  const { requireAccess } = createGuards(auth, options);
  return [of.requireAuth, requireAccess({ ...needs, role: 'ADMIN' })];
}
