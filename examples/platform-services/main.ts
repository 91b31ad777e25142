import { createAuth, type Auth } from '@latchkey/core';
import { allEndpoints } from './all-endpoints.js';
import { developmentSettings } from './development-settings.js';
import { platformApp } from './platform-app.js';

const auth = await openAuth();
const port = Number(process.env.PLATFORM_PORT ?? 3102);
const { issuer } = auth.settings.tokens;

const server = platformApp(auth).listen(port, '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`The platform's other services listen on http://localhost:${port}, for tokens of ${issuer}:

${allEndpoints.map(({ method, path }) => `  ${method.toUpperCase().padEnd(4)} ${path}`).join('\n')}

With an access token in $ACCESS (see docs/quick-start.md):

  curl -i http://localhost:${port}/venues/details/venue-1 -H "Authorization: Bearer $ACCESS"

Then sign out, and try again: the answer is no at once.`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => void auth.close());
    server.closeIdleConnections();
  });
}

async function openAuth(): Promise<Auth> {
  try {
    // The Latchkey service applies migrations and sends mail.
    return await createAuth(developmentSettings(), { migrate: false, sendMail: false, logger: console });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
