import { get, type IncomingMessage } from 'node:http';

// Opens `LISTENERS` event streams of the revocation feed at `URL` and reads them until it is ended. Its HTTP server only says
// that all of them are open.
const { URL: feed = '', LISTENERS = '1000', INTERNAL_KEY = '' } = process.env;
const AT_ONCE = 50;

const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream', 'x-internal-api-key': INTERNAL_KEY };
    get(feed, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the feed refused with ${response.statusCode}`));
      response.resume().once('close', () => process.exit(1));
      resolve(response);
    }).once('error', reject);
  });

for (let opened = 0; opened < Number(LISTENERS); opened += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, Number(LISTENERS) - opened) }, open));
}
// The form in which children of a benchmark announce that they are ready; nothing listens there.
process.stdout.write('listening 0\n');
