import { mkdir } from 'node:fs/promises';
import pino from 'pino';
import { readSettings } from '@latchkey/core';
import { generateSigningKey } from '@latchkey/core/keys';
import { startEmbeddedPostgres } from '@latchkey/testing/embedded-postgres';
import { openInvoicing } from './invoicing.js';
import { addSampleData, SAMPLE_PEOPLE } from './sample-data.js';

const PORT = 3200;
const DATA_DIR = '.latchkey/invoicing';
const baseUrl = `http://localhost:${PORT}`;
const logger = pino({ level: 'warn' });

// Without DATABASE_URL, starts a PostgreSQL with its data in DATA_DIR.
await mkdir(DATA_DIR, { recursive: true });
const embedded = process.env.DATABASE_URL === undefined ? await startPostgres() : undefined;

const settings = readSettings({
  // Use a permanent key in production; here each start ends all sessions.
  JWT_SIGNING_KEY_PEM: await generateSigningKey(),
  PASSWORD_BLOCKLIST: 'off',
  ...process.env,
  ...(embedded && { DATABASE_URL: embedded.url }),
  AUTH_BASE_URL: baseUrl,
  AUTH_WEB_COOKIE_MODE: 'true',
  BRAND_NAME: 'Invoicing',
});

const invoicing = await openInvoicing(settings, logger);
await addSampleData(invoicing);
const server = invoicing.app.listen(PORT, () => {
  console.log(`Invoicing listens on ${baseUrl}\n\nSign in as`);
  for (const { email, password, does } of SAMPLE_PEOPLE) console.log(`  ${email}  ${password}  (${does})`);
  console.log(`\nMail, such as invitations, is at ${baseUrl}/dev/mail. Ctrl-C stops the app.`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => void invoicing.close().then(() => embedded?.stop()));
    server.closeIdleConnections();
  });
}

function startPostgres() {
  return startEmbeddedPostgres({ dataDir: DATA_DIR, logger });
}
