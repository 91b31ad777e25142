import { Requester } from './api/requester.js';
import { ServiceCalls } from './api/service-calls.js';
import { Client } from './client.js';
import { SessionFetch } from './session/session-fetch.js';
import { SessionManager } from './session/session-manager.js';
import type { SessionStore } from './session/stored-session.js';
import { localStorageStore, memoryStore } from './session/stores.js';

/** The options of a client. */
export interface ClientOptions {
  /**
   * The address of the service, such as `https://auth.example.com`. In browsers also a path of the page's own origin, such as
   * `/id`, or empty.
   */
  baseUrl: string;
  /**
   * The place of the tokens. `memory`: as long as this client. `localStorage`: shared by all tabs. `cookies`: out of reach
   * of scripts, see cookie mode. A store of your own otherwise.
   */
  tokens: 'memory' | 'localStorage' | 'cookies' | SessionStore;
  /** The longest total wait of a request for a limited or unavailable service, in seconds. Defaults to 10. */
  maxRetryWaitSeconds?: number;
  /** Sends the requests. Defaults to the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * Returns a client. Throws `TypeError` for an address that is none, unknown `tokens`, and other options that are unknown or wrong.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://localhost:3097', tokens: 'memory' });
 * client.session.state; // → { status: 'signed_out', reason: 'none' }
 */
export function createClient(given: ClientOptions): Client {
  assertOptions(given);
  const { baseUrl: address, tokens, ...options } = given;
  const baseUrl = checkedAddress(address);
  const cookies = tokens === 'cookies';
  const waitLimit = { seconds: options.maxRetryWaitSeconds ?? 10 };
  const send: typeof fetch = options.fetch ?? ((...args) => fetch(...args));
  const service = new ServiceCalls({
    ...{ baseUrl, cookies, waitLimit, fetch: send },
    lacksCookies: cookies && !options.fetch && !keepsCookies(),
  });
  const session = new SessionManager({
    store: storeOf(tokens, baseUrl),
    service,
    cookies,
    hasCookies: () => cookieHint(baseUrl),
  });
  const sessionFetch = new SessionFetch({ service, session, cookies, waitLimit });
  const requester = new Requester(baseUrl, sessionFetch);
  return new Client({ baseUrl, requester, manager: session, sessionFetch });
}

/** The options, and how to check those that are optional. */
const OPTIONS: Record<keyof ClientOptions, ((value: unknown) => boolean) | undefined> = {
  baseUrl: undefined,
  tokens: undefined,
  maxRetryWaitSeconds: (value) => typeof value === 'number' && value >= 0,
  fetch: (value) => typeof value === 'function',
};

/** A misspelt option must not count as its default. */
function assertOptions(given: unknown): void {
  if (typeof given !== 'object' || given === null)
    throw new TypeError('createClient: the options are missing; pass { baseUrl, tokens }');
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(OPTIONS, name))
      throw new TypeError(
        `createClient: unknown option ${name}; the options are ${Object.keys(OPTIONS).join(', ')}`,
      );
    if (value !== undefined && OPTIONS[name as keyof ClientOptions]?.(value) === false)
      throw new TypeError(
        `createClient: ${name} must be a ${name === 'fetch' ? 'function' : 'number from 0'}`,
      );
  }
}

function storeOf(tokens: ClientOptions['tokens'], baseUrl: string): SessionStore {
  if (tokens === 'memory') return memoryStore();
  // In cookie mode the tabs share when to refresh, and nothing else.
  if (tokens === 'cookies') return localStorageStore(`latchkey.cookies:${baseUrl}`);
  if (tokens === 'localStorage') return localStorageStore(`latchkey.session:${baseUrl}`);
  if (isStore(tokens)) return tokens;
  throw new TypeError(
    `tokens: ${JSON.stringify(tokens)} is unknown; use 'memory', 'localStorage', 'cookies' or a store with read, write and clear`,
  );
}

const isStore = (tokens: Partial<SessionStore> | null | undefined): tokens is SessionStore =>
  [tokens?.read, tokens?.write, tokens?.clear].every((method) => typeof method === 'function');

/** Reports whether the `fetch` of this environment keeps cookies: in browsers, their workers and React Native. */
const keepsCookies = (): boolean =>
  'document' in globalThis ||
  'WorkerGlobalScope' in globalThis ||
  (globalThis as { navigator?: { product?: string } }).navigator?.product === 'ReactNative';

function checkedAddress(address: string): string {
  if (!/^(https?:\/\/[^/].*|\/?|\/[^/\\].*)$/.test(address)) {
    throw new TypeError(
      `baseUrl: "${address}" is no address like https://auth.example.com, and no path like /id`,
    );
  }
  return address.replace(/\/+$/, '');
}

/**
 * Reports whether the browser has a session in cookies: by the cookie that scripts may read, on the host of the service
 * only. Undefined elsewhere.
 */
function cookieHint(baseUrl: string): boolean | undefined {
  if (typeof document === 'undefined') return undefined;
  if (new URL(baseUrl, document.baseURI).hostname !== location.hostname) return undefined;
  return /(^|; )lk_state=1(;|$)/.test(document.cookie);
}
