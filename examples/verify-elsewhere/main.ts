import { KeySet } from './key-set.js';
import { reportsApp } from './reports-app.js';

const issuer = process.env.JWT_ISSUER ?? 'http://localhost:3097';
const audience = process.env.JWT_AUDIENCE ?? 'latchkey';
const latchkeyUrl = process.env.LATCHKEY_URL ?? issuer;
const port = Number(process.env.REPORTS_PORT ?? 3100);

const keys = new KeySet({ url: new URL(`${latchkeyUrl}/.well-known/jwks.json`) });
const keysAreThere = await keys.refresh();

const server = reportsApp({ issuer, audience, latchkeyUrl, keys }).listen(port, '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`The reports service accepts tokens of ${issuer} and listens on http://localhost:${port}.
${keysAreThere ? '' : `\n${latchkeyUrl} does not answer: start it with npm start. Until then every token gets 503.\n`}
With an access token in $ACCESS (see docs/quick-start.md):

  curl -i http://localhost:${port}/reports -H "Authorization: Bearer $ACCESS"
  curl -i http://localhost:${port}/reports/all -H "Authorization: Bearer $ACCESS"
  curl -i -X POST http://localhost:${port}/payouts -H "Authorization: Bearer $ACCESS"

Then sign out and try the three again: only /payouts sees it at once.`);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    keys.close();
    server.close();
    server.closeIdleConnections();
  });
}
