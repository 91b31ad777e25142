import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import { AuthError, type ClientInfo } from '@latchkey/core';
import { isCleanText } from '@latchkey/core/schemas';
import { withoutPort, withoutPorts } from './forwarded-for.js';
import { assignRequestId } from './request-id.js';

const MAX_USER_AGENT = 256;
const MAX_DEVICE_NAME = 100;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns address, user agent, device name and request id of a request. The address is Express' `req.ip`, so the app's
 * `trust proxy` decides which forwarded headers count.
 * @param deviceId the id of the device cookie, if the request has one.
 * @throws AuthError `validation_error` for a device name that is too long or contains unsafe characters.
 */
export function clientInfoOf(request: Request, response: Response, deviceId?: string): ClientInfo {
  return {
    ipAddress: addressOf(request),
    userAgent: userAgentOf(request),
    deviceName: deviceNameOf(request),
    requestId: assignRequestId(request, response),
    deviceId,
  };
}

/**
 * Returns the address of the client, or null when a proxy forwarded something that is not an address. Ports that proxies
 * forward do not count.
 */
export function addressOf(request: IncomingMessage & Partial<Pick<Request, 'ip'>>): string | null {
  const address = withoutPort(forwardedAddress(request) ?? '')
    .replace(MAPPED_IPV4, '$1')
    .replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address;
}

/**
 * Returns `req.ip` as Express would find it had no proxy forwarded a port: with one, Express does not recognize the address of a
 * trusted proxy and takes it for the client.
 */
function forwardedAddress(request: IncomingMessage & Partial<Pick<Request, 'ip'>>): string | undefined {
  const forwardedFor = request.headers['x-forwarded-for'];
  if (typeof forwardedFor !== 'string' || !forwardedFor.includes(':')) return request.ip;
  const headers = { ...request.headers, 'x-forwarded-for': withoutPorts(forwardedFor) };
  const seen: unknown = Object.create(request, { headers: { value: headers } });
  const address: unknown = Reflect.get(request, 'ip', seen);
  return typeof address === 'string' ? address : undefined;
}

export function userAgentOf({ headers }: IncomingMessage): string | null {
  const whole = decodeHeader(headers['user-agent'])?.toWellFormed();
  const text = whole && Array.from(whole).slice(0, MAX_USER_AGENT).join('');
  return text === undefined || text === '' ? null : text;
}

function deviceNameOf(request: Request): string | null {
  const name = decodeHeader(request.get('x-device-name'))?.trim();
  if (name === undefined || name === '') return null;
  if (Array.from(name).length > MAX_DEVICE_NAME || !isCleanText(name)) {
    const message = `must have at most ${MAX_DEVICE_NAME} characters and no control characters`;
    throw AuthError.validation(`X-Device-Name: ${message}`, {
      fields: [{ pointer: '/X-Device-Name', reason: 'too_long', message }],
    });
  }
  return name;
}

/** Decodes a header as UTF-8: Node reads headers as Latin-1. */
function decodeHeader(value: string | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8');
}
