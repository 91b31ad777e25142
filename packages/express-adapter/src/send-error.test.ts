import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger, type Logger } from '@latchkey/core';
import { hostAppForThisTest } from '../../../test/support/host-app.js';
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

it('sendError does not log the body that a parser of the app has attached to its error', async () => {
  const logged: object[] = [];
  const logger: Logger = { ...silentLogger, error: (details) => void logged.push(details) };
  const verify = (): never => {
    throw Object.assign(new Error('the signature cannot be checked'), { status: 500 });
  };
  const onError: ErrorRequestHandler = (error, _request, response, _next) =>
    sendError(response, error, { logger });
  const client = await hostAppForThisTest((app) => app.use(express.json({ verify }), onError));
  const answer = await client.send('POST', '/', { body: { password: 'a fine long password' } });
  expect([answer.status, answer.code]).toEqual([500, 'internal_error']);
  const [{ err } = { err: undefined }] = logged as { err: unknown }[];
  expect(err).toBeInstanceOf(Error);
  expect(err).toMatchObject({ message: 'the signature cannot be checked', status: 500 });
  expect(err).not.toHaveProperty('body');
});
