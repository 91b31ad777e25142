import { z } from 'zod';
import { raisedToken } from '@latchkey/core/schemas';
import type { Route } from '../routing/route.js';
import { AUTH_MODE_HEADER } from '../routing/token-cookies.js';
import { exampleOf } from './examples.js';

const authMode = z
  .literal('cookie')
  .optional()
  .describe('Requests tokens in cookies, if the service has cookie mode on (`AUTH_WEB_COOKIE_MODE`).');

const IN_COOKIES = 'With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.';
const FROM_COOKIE = 'With `X-Auth-Mode: cookie` the cookie replaces a missing `refreshToken`.';

/** Adds cookie mode to a route: a header, a body whose token is optional, a response without tokens. */
export function withCookieMode(route: Route): Route {
  const { issuesTokens, takesRefreshToken, body } = route;
  if (!issuesTokens && !takesRefreshToken) return route;
  const texts = [
    route.description,
    ...(issuesTokens ? [IN_COOKIES] : []),
    ...(takesRefreshToken ? [FROM_COOKIE] : []),
  ];
  return {
    ...route,
    description: texts.join(' '),
    // A page of an origin that is not allowed may not change the cookies.
    failures: [...route.failures, 'forbidden'],
    headers: route.headers.extend({ [AUTH_MODE_HEADER]: authMode }),
    body: takesRefreshToken && body instanceof z.ZodObject ? withOptionalFields(body) : body,
    bodyOptional: route.bodyOptional || takesRefreshToken,
    reply: issuesTokens ? withTokenlessForms(route.reply) : route.reply,
  };
}

const withOptionalFields = (body: z.ZodObject): z.ZodType =>
  body.partial().meta({ examples: [exampleOf(body)] });

/** Adds the forms of a reply whose tokens are sent as cookies. */
function withTokenlessForms(reply: z.ZodType): z.ZodType {
  const forms = reply instanceof z.ZodUnion ? reply.options : [reply];
  const tokenless = forms
    .filter((form) => form instanceof z.ZodObject)
    .filter(({ shape }) => Object.keys(raisedToken.shape).every((field) => field in shape))
    .map((form) => withoutTokens(form));
  return z.union([...forms, ...tokenless]);
}

function withoutTokens(form: z.ZodObject): z.ZodType {
  const {
    accessToken: _access,
    refreshToken: _refresh,
    ...example
  } = exampleOf(form) as Record<string, unknown>;
  const { accessToken: _inCookie, refreshToken: _inOther, ...shape } = form.shape;
  return z.object(shape).meta({
    id: `${form.meta()?.id ?? 'Tokens'}InCookies`,
    description: 'The response with `X-Auth-Mode: cookie`: the tokens are in cookies.',
    examples: [example],
  });
}
