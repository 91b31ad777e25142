import { createServer } from 'node:http';
import express, { type Express } from 'express';
import { onTestFinished } from 'vitest';
import { freePort } from '../../tools/shared/free-port.mjs';
import { ApiClient } from './api-client.js';

/** A listening Express app of a host. */
export interface HostApp {
  url: string;
  client: ApiClient;
  stop: () => Promise<void>;
}

export async function startHostApp(build: (app: Express) => void, port?: number): Promise<HostApp> {
  const app = express();
  build(app);
  const server = createServer(app);
  const listensOn = port ?? (await freePort());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(listensOn, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${listensOn}`;
  const client = new ApiClient(url);
  const stop = async () => {
    client.close();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, client, stop };
}

/** The same for the length of one test. */
export async function hostAppForThisTest(build: (app: Express) => void, port?: number): Promise<ApiClient> {
  const { client, stop } = await startHostApp(build, port);
  onTestFinished(stop);
  return client;
}
