import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import { errorResponse } from './error-response.js';

it('errorResponse responds to a request of Node.js as to one of the Fetch API', async () => {
  const ofNode = new IncomingMessage(new Socket());
  ofNode.headers = { accept: 'application/problem+json' };
  const ofFetch = new Request('http://localhost', { headers: { accept: 'application/problem+json' } });
  for (const request of [ofNode, ofFetch]) {
    const response = errorResponse(new AuthError('unauthorized', 'Sign in.'), request);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ code: 'unauthorized', detail: 'Sign in.' });
  }
});
