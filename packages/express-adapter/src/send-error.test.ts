import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '@latchkey/core';
import { sendError } from './send-error.js';

it('sendError leaves a response alone that has been started', async () => {
  const server = createServer((_request, response) => {
    response.write('first');
    sendError(response, new Error('too late'), { logger: silentLogger });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect([answer.status, await answer.text()]).toEqual([200, 'first']);
});
