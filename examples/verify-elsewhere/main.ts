import { createVerifier } from '@latchkey/verifier';
import { reportsApp } from './reports-app.js';

const issuer = process.env.JWT_ISSUER ?? 'http://localhost:3097';
const port = Number(process.env.REPORTS_PORT ?? 3100);

const verifier = await createVerifier({
  issuer,
  audience: process.env.JWT_AUDIENCE ?? 'latchkey',
  url: process.env.LATCHKEY_URL ?? issuer,
  credential: { internalApiKey: process.env.AUTH_INTERNAL_API_KEY ?? 'machine-key-for-development' },
  logger: {
    info: (_details, message) => console.log(message),
    warn: ({ err }: { err?: Error }, message) => console.warn(message, err?.message ?? ''),
  },
  // The example also starts before Latchkey; a real service may prefer to wait.
  startStale: true,
});

const server = reportsApp(verifier).listen(port, '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`The reports service accepts tokens of ${issuer} and listens on http://localhost:${port}.

With an access token in $ACCESS (see docs/quick-start.md):

  curl -i http://localhost:${port}/reports -H "Authorization: Bearer $ACCESS"
  curl -i http://localhost:${port}/reports/all -H "Authorization: Bearer $ACCESS"
  curl -i -X POST http://localhost:${port}/payouts -H "Authorization: Bearer $ACCESS"

Then sign out and try again: the token is refused within a second.`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    verifier.close();
    server.close();
    server.closeIdleConnections();
  });
}
