// A client in cookie mode: the browser keeps the tokens, and this script cannot read them.
let refreshing;
let refreshes = 0;

const send = (method, path, { body, company } = {}) =>
  fetch(path, {
    method,
    headers: {
      'X-Auth-Mode': 'cookie',
      ...(company && { 'X-Org': company }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

/** An error response of the API, with its code. */
export class Refusal extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** Calls the app's API or Latchkey's. An expired access token is refreshed once for all waiting calls. */
export async function call(method, path, options) {
  const before = refreshes;
  let response = await send(method, path, options);
  if (response.status === 401 && (await codeOf(response)) === 'unauthorized') {
    if (await isRenewedSince(before)) response = await send(method, path, options);
  }
  return answerOf(response);
}

/** Returns true if the token was refreshed after the call was sent; refreshes it if necessary. */
async function isRenewedSince(before) {
  if (before !== refreshes) return true;
  refreshing ??= refresh().finally(() => (refreshing = undefined));
  return refreshing;
}

async function refresh() {
  const { ok } = await send('POST', '/auth/refresh');
  if (ok) refreshes += 1;
  return ok;
}

/** Signs in; here 401 means that the password is wrong. */
export const signIn = async (email, password) =>
  answerOf(await send('POST', '/auth/login', { body: { email, password } }));

async function answerOf(response) {
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error);
  return answer.success === true ? answer.data : answer;
}

const codeOf = async (response) => (await response.clone().json()).error.code;
