import {
  assertNotActing,
  AuthError,
  type ApiKeyPrincipal,
  type Auth,
  type ClientInfo,
  type CursorPage,
  type ErrorReason,
  type ListTotal,
  type Page,
  type PageRequest,
  type SlicedPage,
} from '@latchkey/core';
import { checkInput } from '@latchkey/core/schemas';
import type { CallerRequest } from '../callers/caller.js';
import { addressOf, clientInfoOf } from '../exchange/client-info.js';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpRequest } from '../exchange/http-request.js';
import type { HttpResponse } from '../exchange/http-response.js';
import { rememberCaller, rememberSignedIn } from '../exchange/request-facts.js';
import { assertCleanParams, readHeader, readHeaders, readQuery } from '../exchange/request-input.js';
import { methodOf } from '../exchange/request-method.js';
import type { ResponseHeaders } from '../exchange/response-headers.js';
import { withDenialsAudited, type Denial } from './denial.js';
import { DeviceCookie } from './device-cookie.js';
import type { PathParams } from './endpoint.js';
import { dataResponse, jsonResponse } from './envelope.js';
import { fileResponse, type ServedFile } from './file-response.js';
import { readBody } from './request-body.js';
import type { Route } from './route.js';
import { slicedList } from './sliced-list.js';
import { holdsTokens, TokenCookies } from './token-cookies.js';
import { keepTrustedDevice } from './trusted-cookie.js';

/** An exchange and the variables of its path. */
interface RouteExchange extends Exchange {
  params: PathParams;
}

/**
 * Waits for a response without the deadline of five seconds.
 * @param addIdle takes milliseconds that the response waited on purpose.
 */
type AwaitResponse = (addIdle: (ms: number) => void) => Promise<HttpResponse>;

/** Pages up to this limit are read and sent as one array. */
const MAX_ARRAY = 1_000;

/**
 * Serves one request, in a fixed order of steps: limit, precondition, caller, input, use case, response.
 * @returns the response, or what waits for it if it depends on events.
 */
export async function serveRoute(
  route: Route,
  auth: Auth,
  exchange: RouteExchange,
): Promise<HttpResponse | AwaitResponse> {
  const { request, headers, params } = exchange;
  const address = countedAddress(auth, request);
  if (route.limit === 'public-login') await auth.loginRateLimiter.consume(address);
  if (request.headerFault) throw request.headerFault;
  route.precondition?.(auth);
  // Nothing is reserved yet: a body that never arrives must not take the place of one that does.
  if (route.hashesPassword) auth.hashingCapacity.assertFree(address);
  const cookies = TokenCookies.of(auth.settings, exchange);
  const device = DeviceCookie.ofSignIn(auth, route, request, { isCookieMode: cookies !== undefined });
  const client = clientInfoOf(request, device?.id, cookies?.trustedDevices(route));
  cookies?.assertMayServe(route);
  assertCleanParams(params);
  const caller: CallerRequest = {
    auth,
    client,
    method: methodOf(request),
    header: (name) => readHeader(request, name),
    cookieToken: () => cookies?.accessToken(),
    params,
    recognize: (owner) => recognize(request, client, owner),
  };
  const identity = await authorizedCaller(route, caller);
  const input = await inputOf(route, caller, identity, { exchange, cookies });
  // A malformed request writes nothing, so it is not counted.
  if (route.limit === 'anonymous-write') await auth.anonymousRateLimiter.consume(client.ipAddress);
  const { deliver } = route;
  if (deliver) {
    // What compresses a response on its way holds events of a stream back, and may hold back pages that were waited for.
    headers.set('Cache-Control', 'no-store, no-transform');
    return (addIdle) => deliver(input)(exchange, addIdle);
  }
  const inSlices = isLong(input.query) ? route.handleInSlices : undefined;
  const work = (): unknown => (inSlices ?? route.handle)(input);
  const result = await runUseCase(route, caller, identity, work).catch((error: unknown) => {
    cookies?.clearIfEnded(error);
    throw error;
  });
  if (inSlices) return respondInSlices(route, exchange, result as SlicedPage<unknown>);
  if (route.issuesTokens) rememberSignedIn(request, result);
  if (route.endsOwnSession(input)) cookies?.clearAfter(route);
  if (device && holdsTokens(result)) device.keep(headers);
  if (route.issuesTokens) keepTrustedDevice(headers, result);
  return respond(route, exchange, result, cookies);
}

/** Returns the input of a use case, by the schemas of its route. @throws AuthError `validation_error`. */
async function inputOf(
  route: Route,
  caller: CallerRequest,
  identity: unknown,
  read: { exchange: Exchange; cookies: TokenCookies | undefined },
) {
  const { auth, client } = caller;
  return {
    auth,
    client,
    caller: identity,
    headers: checkInput(
      route.headers,
      { ...route.caller.implied?.(identity), ...readHeaders(route.headers, caller) },
      'header',
    ),
    params: checkInput(route.params, caller.params, 'path'),
    query: checkInput(route.query, readQuery(read.exchange.request), 'query'),
    body: route.body && (await readBody(route, route.body, { auth, ...read })),
  };
}

/** Returns the address of the client. An unknown one is counted, because it shares the limits of all others. */
function countedAddress({ metrics }: Auth, request: HttpRequest): string | null {
  const address = addressOf(request);
  if (address === null) metrics.http.countUnknownAddress();
  return address;
}

/** The reasons for which a token of a mail is rejected: it is unknown, used or expired. */
const REJECTED_TOKENS: ReadonlySet<ErrorReason> = new Set([
  'email_change_token_invalid',
  'invitation_accepted',
  'invitation_cancelled',
  'invitation_expired',
  'invitation_not_found',
  'invitation_withdrawn',
  'deletion_token_invalid',
  'reset_token_invalid',
  'verification_token_invalid',
]);

/** Reports whether a token of a mail was rejected. Valid ones are not counted: people who share an address use their links. */
const isRejectedToken = ({ limit }: Route, error: unknown): boolean =>
  limit === 'mailed-token' && AuthError.is(error) && REJECTED_TOKENS.has(error.reason);

/** Runs the use case of a route. A denial is audited, and a rejected token of a mail counts towards its limit. */
async function runUseCase(
  route: Route,
  request: CallerRequest,
  identity: unknown,
  work: () => unknown,
): Promise<unknown> {
  const { auth, client } = request;
  try {
    return await withDenialsAudited(auth, denialOf(route, request, identity), () =>
      withHashing(route, auth, client.ipAddress, work),
    );
  } catch (error) {
    if (isRejectedToken(route, error)) await auth.anonymousRateLimiter.consume(client.ipAddress);
    throw error;
  }
}

/** Reserves hashing capacity for a use case that hashes a password, until its password is in the queue or it has ended. */
async function withHashing(
  route: Route,
  auth: Auth,
  ip: string | null,
  work: () => unknown,
): Promise<unknown> {
  const release = route.hashesPassword ? auth.hashingCapacity.reserve(ip) : undefined;
  try {
    return await work();
  } finally {
    release?.();
  }
}

/** Records a caller. The client is that of every audit row of the request, so each names who acts for the user. */
function recognize(
  request: HttpRequest,
  client: ClientInfo,
  owner: Parameters<CallerRequest['recognize']>[0],
): void {
  rememberCaller(request, owner);
  client.act = owner.act;
}

/** Returns whether the query of a list asks for a page that is too long for one array. */
const isLong = (query: unknown): boolean => ((query as Partial<PageRequest>).limit ?? 0) > MAX_ARRAY;

function respondInSlices(
  { reply }: Route,
  exchange: Exchange,
  page: SlicedPage<unknown>,
): Promise<HttpResponse> {
  setTotal(exchange.headers, page);
  return slicedList(exchange, page.slices, (slice) => reply.parse(slice) as unknown[]);
}

/** Returns the caller of a route. @throws AuthError when the caller is not allowed, or not while an actor acts for them. */
async function authorizedCaller(route: Route, request: CallerRequest): Promise<unknown> {
  const identity = await route.caller.identify(request);
  const permitted = async (): Promise<unknown> => {
    if (route.refusedWhileActing) assertNotActing(request.client);
    await route.caller.permit(identity, request);
    return identity;
  };
  return withDenialsAudited(request.auth, denialOf(route, request, identity), permitted, DENIALS_OF_CALLERS);
}

/** Callers who must not learn whether there is anything get `not_found`. */
const DENIALS_OF_CALLERS = ['forbidden', 'not_found'] as const;

/** Describes a denied request for the audit log. */
const denialOf =
  ({ caller, method, path }: Route, { client }: CallerRequest, identity: unknown) =>
  (): Denial => ({
    actor: caller.actorOf(identity),
    client,
    method: method.toUpperCase(),
    path,
    apiKeyId: (identity as Partial<ApiKeyPrincipal> | undefined)?.apiKey?.id,
  });

function respond(
  route: Route,
  exchange: Exchange,
  result: unknown,
  cookies: TokenCookies | undefined,
): HttpResponse {
  if (route.fileTypes) return fileResponse(exchange, result as ServedFile, route.cacheSeconds);
  const { headers } = exchange;
  if (route.cacheSeconds > 0) headers.set('Cache-Control', `public, max-age=${route.cacheSeconds}`);
  const reply = route.reply.parse(itemsOf(route, headers, result));
  const data = route.issuesTokens && cookies ? cookies.keep(reply) : reply;
  const status = route.isNew?.(result) ? 201 : route.status;
  return (route.enveloped ? dataResponse : jsonResponse)(exchange, status, data);
}

/** Returns the items of a list and sets its total or cursor as a header, so that `data` is an array. */
function itemsOf(route: Route, headers: ResponseHeaders, result: unknown): unknown {
  switch (route.paging) {
    case 'none':
      return result;
    case 'offset':
    case 'either': {
      const page = result as Page<unknown>;
      setTotal(headers, page);
      setNextCursor(headers, page);
      return page.items;
    }
    case 'cursor': {
      const page = result as CursorPage<unknown>;
      setNextCursor(headers, page);
      return page.items;
    }
  }
}

function setNextCursor(headers: ResponseHeaders, { nextCursor }: { nextCursor?: string | undefined }): void {
  if (nextCursor !== undefined) headers.set('X-Next-Cursor', nextCursor);
}

/** Sets the total, and beside it that it is a lower bound, as `relation` says it of the totals of Elasticsearch. */
function setTotal(headers: ResponseHeaders, { total, isTotalExact }: ListTotal): void {
  headers.set('X-Total-Count', String(total));
  if (!isTotalExact) headers.set('X-Total-Count-Relation', 'at-least');
}
