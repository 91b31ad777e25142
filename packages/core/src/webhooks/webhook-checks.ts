import { AuthError } from '../kernel/auth-error.js';
import { isLocalHost } from '../kernel/local-host.js';
import { checkId } from '../kernel/uuid-input.js';
import { fieldError } from '../kernel/validation-error.js';
import { OutboundError } from '../outbound/outbound-error.js';
import type { Outbound } from '../outbound/outbound.js';
import { MAX_COMPANY_ENDPOINTS, MAX_PLATFORM_ENDPOINTS, type WebhookEndpoint } from './webhook-endpoint.js';
import { COMPANY_WEBHOOK_TYPES } from './webhook-event.js';
import type { ReplayWebhookInput } from './webhook-schema.js';

const DAY_MS = 86_400_000;
const REPLAY_DAYS = 30;

/** Returns the id of the company in lower case; null for the platform. */
export const checkOwner = (companyId: string | null): string | null =>
  companyId === null ? null : checkId(companyId, 'companyId');

/** @throws AuthError `validation_error` for types that concern no company. */
export function assertOfCompany(events: readonly string[]): void {
  const types: readonly string[] = [...COMPANY_WEBHOOK_TYPES, '*'];
  const foreign = events.filter((event) => !types.includes(event));
  if (foreign.length === 0) return;
  throw fieldError(
    'events',
    'not_allowed',
    `${foreign.join(', ')}: concerns no company; a company can receive ${types.join(', ')}`,
  );
}

/** Checks the address of a receiver. The name is resolved, so no transaction may wait for it. @throws AuthError `validation_error` */
export async function assertReceiver(
  url: string,
  { outbound, ownUrl }: { outbound: Outbound; ownUrl: string },
): Promise<void> {
  try {
    await outbound.check(url);
  } catch (error) {
    if (error instanceof OutboundError) throw fieldError('url', 'not_allowed', error.message);
    throw error;
  }
  if (isSameHost(new URL(url), new URL(ownUrl)))
    throw fieldError('url', 'not_allowed', 'is the address of this service; give that of the receiver');
}

/** Returns the time of a replay. @throws AuthError `validation_error` */
export function replayRange(input: ReplayWebhookInput, now: number): { from: Date; to: Date } {
  const from = new Date(input.from);
  const to = new Date(input.to ?? now);
  if (from.getTime() < now - REPLAY_DAYS * DAY_MS)
    throw fieldError('from', 'not_allowed', 'must be at most 30 days ago');
  if (to <= from) throw fieldError('to', 'not_allowed', 'must be later than from');
  return { from, to };
}

/** On one machine, services differ by their ports. */
function isSameHost(url: URL, own: URL): boolean {
  const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '').toLowerCase();
  if (isLocalHost(own.hostname)) return isLocalHost(url.hostname) && portOf(url) === portOf(own);
  return hostOf(url) === hostOf(own);
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** @throws AuthError `conflict` */
export function assertActive({ isActive }: WebhookEndpoint): void {
  if (!isActive)
    throw AuthError.conflict('The webhook is not active. Activate it first.', 'webhook_inactive');
}

export const notFound = (): AuthError => AuthError.notFound('The webhook', 'webhook_not_found');

export const limitReached = (companyId: string | null): AuthError =>
  AuthError.conflict(
    companyId === null
      ? `The platform has ${MAX_PLATFORM_ENDPOINTS} webhooks. Remove one first.`
      : `The company has ${MAX_COMPANY_ENDPOINTS} webhooks. Remove one first.`,
    'webhook_limit_reached',
  );

export const testsWait = (count: number): AuthError =>
  new AuthError('rate_limited', `${count} tests of this webhook wait for its receiver already.`, {
    retryAfterSeconds: 60,
  });

/** The cursor of a list is the id of its last item. */
export const cursorOf = (id: string): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

/** @throws AuthError `validation_error` for text that is not a cursor of ours. */
export function idOfCursor(cursor: string): string {
  const hex = Buffer.from(cursor, 'base64url').toString('hex');
  if (hex.length !== 32 || cursorOf(hex) !== cursor)
    throw fieldError('cursor', 'format', 'is invalid; use the `X-Next-Cursor` value of a previous response');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
