import type { ServerResponse } from 'node:http';
import type { ErrorCode } from '@latchkey/core';

interface SuccessEnvelope {
  success: true;
  data: unknown;
}

export interface ErrorEnvelope {
  success: false;
  error: { code: ErrorCode; message: string };
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The text around the items of a list, for lists that are written in parts. */
export const LIST_START = '{"success":true,"data":[';
export const LIST_END = ']}';

/** Writes a JSON response. Not `res.json`: the responses are never cached, so an ETag would be wasted work. */
export function sendJson(response: ServerResponse, status: number, body: unknown, type = JSON_TYPE): void {
  if (response.headersSent) return;
  const text = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', text.length);
  response.end(text);
}

export function sendData(response: ServerResponse, status: number, data: unknown): void {
  sendJson(response, status, { success: true, data } satisfies SuccessEnvelope);
}
