import { mkdir } from 'node:fs/promises';
import type { Express } from 'express';
import pino from 'pino';
import { createAuth, readSettings, type Auth } from '@latchkey/core';
import { generateSigningKey } from '@latchkey/core/keys';
import { startEmbeddedPostgres } from '@latchkey/testing/embedded-postgres';
import { addSampleUser, entitlements, SAMPLE } from './companies.js';

interface AppToRun {
  port: number;
  /** The path of its page. Defaults to `/`. */
  path?: string;
  /** The folder for the data of the PostgreSQL of development. */
  dataDir: string;
  /** Settings of the app, in addition to those of the environment. */
  settings: Record<string, string>;
  createApp: (auth: Auth) => Promise<Express>;
}

/** Runs an app with sample data until a signal ends it. Without `DATABASE_URL` it starts a PostgreSQL of its own. */
export async function runApp({
  port,
  path = '/',
  dataDir,
  settings: own,
  createApp,
}: AppToRun): Promise<void> {
  const baseUrl = `http://localhost:${port}`;
  const logger = pino({ level: 'warn' });
  await mkdir(dataDir, { recursive: true });
  const embedded =
    process.env.DATABASE_URL === undefined ? await startEmbeddedPostgres({ dataDir, logger }) : undefined;
  const settings = readSettings({
    // Use a permanent key in production; here each start ends all sessions.
    JWT_SIGNING_KEY_PEM: await generateSigningKey(),
    PASSWORD_BLOCKLIST: 'off',
    ...process.env,
    ...(embedded && { DATABASE_URL: embedded.url }),
    AUTH_BASE_URL: baseUrl,
    ...own,
  });
  const auth = await createAuth(settings, { logger, entitlements });
  await addSampleUser(auth);
  const server = (await createApp(auth)).listen(port, () => {
    console.log(`The app is at ${baseUrl}${path}. Sign in as ${SAMPLE.email} with "${SAMPLE.password}".`);
    console.log('Ctrl-C stops the app.');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close(() => void auth.close().then(() => embedded?.stop()));
      server.closeIdleConnections();
    });
  }
}
