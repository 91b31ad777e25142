import type { VerifierClock } from './clock.js';
import type { Fetch } from './http/request-json.js';
import { consoleLogger, silentLogger, type VerifierLogger } from './logger.js';
import type { VerifierCredential, VerifierOptions, WhenStale } from './verifier-options.js';
import type { VerifierStatus } from './verifier-status.js';

const systemClock: VerifierClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};

/** Options with their defaults. */
export interface ReadOptions {
  /** As it was given and, if it is an address, in the form in which the service writes it. */
  issuer: string[];
  audience: string;
  credential: VerifierCredential;
  /** Without a slash at its end. */
  baseUrl: string;
  whenStale: WhenStale;
  startStale: boolean;
  startTimeoutMs: number;
  maxTokenSeconds: number;
  rememberTokens: number;
  apiKeys: boolean;
  logger: VerifierLogger;
  /** Gets the warnings of options that do not fit the service. */
  wiringLogger: VerifierLogger;
  onStateChange: (status: VerifierStatus) => void;
  fetch: Fetch;
  clock: VerifierClock;
}

const NAMES: Readonly<Record<keyof VerifierOptions, true>> = {
  ...{ issuer: true, audience: true, credential: true, url: true, whenStale: true, startStale: true },
  ...{ startTimeoutSeconds: true, maxTokenSeconds: true, rememberTokens: true, logger: true },
  ...{ onStateChange: true, fetch: true, clock: true, apiKeys: true },
};

/** Validates options and applies the defaults. @throws TypeError that names the option and how to fix it. */
export function readOptions(given: VerifierOptions): ReadOptions {
  assertNames(given);
  return {
    issuer: issuersOf(textOf(given, 'issuer', "the service's AUTH_BASE_URL")),
    audience: textOf(given, 'audience', "the service's JWT_AUDIENCE"),
    credential: credentialOf(given.credential),
    baseUrl: baseUrlOf(given.url ?? given.issuer),
    whenStale: whenStaleOf(given.whenStale ?? { acceptSeconds: 30 }),
    startStale: flagOf('startStale', given.startStale ?? false),
    startTimeoutMs: numberOf('startTimeoutSeconds', given.startTimeoutSeconds ?? 10, 1) * 1000,
    maxTokenSeconds: numberOf('maxTokenSeconds', given.maxTokenSeconds ?? 86_400, 1),
    rememberTokens: numberOf('rememberTokens', given.rememberTokens ?? 10_000, 1),
    apiKeys: flagOf('apiKeys', given.apiKeys ?? false),
    logger: given.logger ?? silentLogger,
    wiringLogger: given.logger ?? consoleLogger,
    onStateChange: given.onStateChange ?? (() => undefined),
    fetch: given.fetch ?? ((url, init) => fetch(url, init)),
    clock: given.clock ?? systemClock,
  };
}

/** A misspelt option must not count as its default. */
function assertNames(given: unknown): void {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError('createVerifier: the options are missing; pass { issuer, audience, credential }');
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(NAMES, name));
  if (unknown.length === 0) return;
  throw new TypeError(
    `createVerifier: unknown option ${unknown.join(', ')}; the options are ${Object.keys(NAMES).join(', ')}`,
  );
}

/** The service writes an address without a slash at its end, with a host in small letters and without a default port. */
function issuersOf(issuer: string): string[] {
  if (!/^https?:\/\//i.test(issuer) || !URL.canParse(issuer) || /[?#]/.test(issuer)) return [issuer];
  const { origin, pathname } = new URL(issuer);
  return [...new Set([issuer, origin + pathname.replace(/\/+$/, '')])];
}

function textOf(given: VerifierOptions, name: 'issuer' | 'audience', example: string): string {
  const value: unknown = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`createVerifier: ${name} is missing; pass ${example}`);
}

function credentialOf(given: unknown): VerifierCredential {
  const credential = (given ?? {}) as Partial<Record<string, unknown>>;
  const { clientId, clientSecret, internalApiKey } = credential;
  if (isText(internalApiKey)) return { internalApiKey };
  if (isText(clientId) && isText(clientSecret)) return { clientId, clientSecret };
  throw new TypeError(
    'createVerifier: credential is missing; pass { clientId, clientSecret } of a service client with the scope ' +
      'revocations:read, or { internalApiKey }',
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function baseUrlOf(url: string): string {
  if (/^https?:\/\/\S+$/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new TypeError(
    `createVerifier: ${JSON.stringify(url)} is no URL; pass the base URL of the service as url, such as https://auth.example.com`,
  );
}

function whenStaleOf(given: unknown): WhenStale {
  if (given === 'refuse' || given === 'ask') return given;
  const { acceptSeconds: seconds, ...others } = (given ?? {}) as { acceptSeconds?: unknown };
  const isNumber = typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0;
  if (isNumber && Object.keys(others).length === 0) return { acceptSeconds: seconds };
  throw new TypeError("createVerifier: whenStale must be 'refuse', 'ask' or { acceptSeconds: 30 }");
}

function flagOf(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`createVerifier: ${name} must be true or false`);
}

function numberOf(name: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= least) return value;
  throw new TypeError(`createVerifier: ${name} must be a number of at least ${least}`);
}
