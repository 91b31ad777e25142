import { tokenPair } from '@latchkey/core/schemas';
import { z } from 'zod';
import type { Route } from '../http/route.js';
import { AUTH_MODE_HEADER } from '../http/token-cookies.js';

/** A route with what cookie mode adds: a header, a body that may do without its token, an answer without tokens. */
export function withCookieMode(route: Route): Route {
  const { issuesTokens, takesRefreshToken, body } = route;
  if (!issuesTokens && !takesRefreshToken) return route;
  return {
    ...route,
    headers: route.headers.extend({ [AUTH_MODE_HEADER]: z.literal('cookie').optional() }),
    body: takesRefreshToken && body instanceof z.ZodObject ? body.partial() : body,
    bodyOptional: route.bodyOptional || takesRefreshToken,
    reply: issuesTokens ? withTokenlessForms(route.reply) : route.reply,
  };
}

/** A reply, or what is left of it when its tokens travel in cookies. */
function withTokenlessForms(reply: z.ZodType): z.ZodType {
  const forms = reply instanceof z.ZodUnion ? reply.options : [reply];
  const tokenless = forms
    .filter((form) => form instanceof z.ZodObject)
    .filter(({ shape }) => Object.keys(tokenPair.shape).every((field) => field in shape))
    .map((form) => form.omit({ accessToken: true, refreshToken: true }))
    .map((form) => form.describe('With `X-Auth-Mode: cookie`: the tokens are in cookies.'));
  return z.union([...forms, ...tokenless]);
}
