import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import { AuthError, type ClientInfo } from '@latchkey/core';
import { isCleanText } from '@latchkey/core/schemas';
import { assignRequestId } from './request-id.js';

const MAX_USER_AGENT = 256;
const MAX_DEVICE_NAME = 100;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * What is known of the caller's machine. The address is Express' `req.ip`, so forwarded headers count exactly as
 * far as the app's `trust proxy` says.
 * @throws AuthError `validation_error` for a device name that is too long or no clean text.
 */
export function clientInfoOf(request: Request, response: Response): ClientInfo {
  return {
    ipAddress: addressOf(request),
    userAgent: userAgentOf(request),
    deviceName: deviceNameOf(request),
    requestId: assignRequestId(request, response),
  };
}

/** Null when a proxy forwarded something that is no address. */
export function addressOf(request: Pick<Request, 'ip'>): string | null {
  const address = (request.ip ?? '').replace(MAPPED_IPV4, '$1').replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address;
}

export function userAgentOf({ headers }: IncomingMessage): string | null {
  const text = decodeHeader(headers['user-agent'])?.slice(0, MAX_USER_AGENT).toWellFormed();
  return text === undefined || text === '' ? null : text;
}

function deviceNameOf(request: Request): string | null {
  const name = decodeHeader(request.get('x-device-name'))?.trim();
  if (name === undefined || name === '') return null;
  if (name.length > MAX_DEVICE_NAME || !isCleanText(name)) {
    const message = `must have at most ${MAX_DEVICE_NAME} characters of text`;
    throw AuthError.validation(`X-Device-Name: ${message}`, {
      fields: [{ pointer: '/X-Device-Name', reason: 'too_long', message }],
    });
  }
  return name;
}

/** Node hands headers over as Latin-1; people write UTF-8 into them. */
function decodeHeader(value: string | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8');
}
