import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import { securityHeaders } from './response-headers.js';

it('securityHeaders sets exactly these headers, and overwrites those of a host app', () => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader('X-Powered-By', 'Express');
  response.setHeader('X-Frame-Options', 'ALLOWALL');
  response.setHeader('X-Host', 'kept');
  let continued = 0;
  void securityHeaders(request as Request, response as Response, (error) => {
    expect(error).toBeUndefined();
    continued++;
  });
  expect(continued).toBe(1);
  expect({ ...response.getHeaders() }).toEqual({
    'x-host': 'kept',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  });
});
