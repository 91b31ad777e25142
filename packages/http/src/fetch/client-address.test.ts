import { describe, expect, it } from 'vitest';
import { fromHono } from './client-address.js';

const request = new Request('http://localhost/identity/auth/login');

describe('the address from the context of Hono', () => {
  it('fromHono returns the address of the connection on Node.js', () => {
    const env = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };
    expect(fromHono(request, { env })).toBe('192.0.2.1');
  });

  it.each([{}, { env: undefined }, { env: {} }])(
    'fromHono returns null for the context %j of a request without a connection',
    (context) => {
      expect(fromHono(request, context)).toBeNull();
    },
  );
});
