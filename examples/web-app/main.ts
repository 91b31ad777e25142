import { mkdir } from 'node:fs/promises';
import pino from 'pino';
import { createAuth, readSettings } from '@latchkey/core';
import { generateSigningKey } from '@latchkey/core/keys';
import { startEmbeddedPostgres } from '@latchkey/testing/embedded-postgres';
import { bundleApp } from './bundle-app.js';
import { addSampleUser, entitlements, SAMPLE } from './companies.js';
import { createWebApp } from './web-app.js';

const PORT = 3300;
const DATA_DIR = '.latchkey/web-app';
const baseUrl = `http://localhost:${PORT}`;
const logger = pino({ level: 'warn' });

// Without DATABASE_URL, starts a PostgreSQL with its data in DATA_DIR.
await mkdir(DATA_DIR, { recursive: true });
const embedded =
  process.env.DATABASE_URL === undefined
    ? await startEmbeddedPostgres({ dataDir: DATA_DIR, logger })
    : undefined;

const settings = readSettings({
  // Use a permanent key in production; here each start ends all sessions.
  JWT_SIGNING_KEY_PEM: await generateSigningKey(),
  PASSWORD_BLOCKLIST: 'off',
  ...process.env,
  ...(embedded && { DATABASE_URL: embedded.url }),
  AUTH_BASE_URL: baseUrl,
  PASSKEYS_ENABLED: 'true',
  WEBAUTHN_RP_ID: 'localhost',
  WEBAUTHN_ORIGINS: baseUrl,
  // A browser that loses a response to a refresh stays signed in.
  REFRESH_REUSE_GRACE: '30s',
});
const auth = await createAuth(settings, { logger, entitlements });
await addSampleUser(auth);
const server = createWebApp(auth, await bundleApp()).listen(PORT, () => {
  console.log(`The app is at ${baseUrl}. Sign in as ${SAMPLE.email} with "${SAMPLE.password}".`);
  console.log('Ctrl-C stops the app.');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => void auth.close().then(() => embedded?.stop()));
    server.closeIdleConnections();
  });
}
