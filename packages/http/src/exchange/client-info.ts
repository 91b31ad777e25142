import { isIP } from 'node:net';
import { AuthError, type ClientInfo } from '@latchkey/core';
import { isCleanText } from '@latchkey/core/schemas';
import { withoutPort } from './forwarded-for.js';
import type { HttpRequest } from './http-request.js';
import { requestIdOf } from './request-id.js';

const MAX_USER_AGENT = 256;
const MAX_DEVICE_NAME = 100;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns address, user agent, device name and request id of a request.
 * @param deviceId the id of the device cookie, if the request has one.
 * @param trustedDevices the secrets of the cookie of trusted devices; undefined for a client that keeps none.
 * @throws AuthError `validation_error` for a device name that is too long or contains unsafe characters.
 */
export function clientInfoOf(
  request: HttpRequest,
  deviceId?: string,
  trustedDevices?: readonly string[],
): ClientInfo {
  return {
    ipAddress: addressOf(request),
    userAgent: userAgentOf(request),
    deviceName: deviceNameOf(request),
    requestId: requestIdOf(request),
    deviceId,
    trustedDevices,
  };
}

/**
 * Returns the address of the client, or null when the host does not know it, such as when a proxy forwarded something that is
 * not an address. Ports that proxies forward do not count.
 */
export function addressOf({ address = '' }: Pick<HttpRequest, 'address'>): string | null {
  const bare = withoutPort(address).replace(MAPPED_IPV4, '$1').replace(/%.*$/, '');
  return isIP(bare) === 0 ? null : bare;
}

export function userAgentOf({ headers }: Pick<HttpRequest, 'headers'>): string | null {
  const whole = decodeHeader(headers['user-agent'])?.toWellFormed();
  const text = whole && Array.from(whole).slice(0, MAX_USER_AGENT).join('');
  return text === undefined || text === '' ? null : text;
}

function deviceNameOf({ headers }: HttpRequest): string | null {
  const name = decodeHeader(headers['x-device-name'])?.trim();
  if (name === undefined || name === '') return null;
  if (Array.from(name).length > MAX_DEVICE_NAME || !isCleanText(name)) {
    const message = `must have at most ${MAX_DEVICE_NAME} characters and no control characters`;
    throw AuthError.validation(`X-Device-Name: ${message}`, {
      fields: [{ pointer: '/X-Device-Name', reason: 'too_long', message }],
    });
  }
  return name;
}

/** Decodes a header as UTF-8: hosts read headers as Latin-1. */
function decodeHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? Buffer.from(value, 'latin1').toString('utf8') : undefined;
}
