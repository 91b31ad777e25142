import { createServer, connect, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { StallWatch } from './event-loop-stalls.js';

const STALL = 80;
/** The watch looks every 10 ms, so it may see a stall that much shorter. */
const SEEN_AT_LEAST = STALL - 15;

function watchForThisTest(): StallWatch {
  const watch = new StallWatch();
  onTestFinished(() => watch.stop());
  return watch;
}

/** Keeps the event loop from doing anything else. */
function stall(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const untilCalm = (watch: StallWatch) =>
  waitUntil(() => watch.stalledFor() === 0, { what: 'no stall to be reported' });

it('a stall is reported while it lasts, and not after the loop runs again', async () => {
  const watch = watchForThisTest();
  await untilCalm(watch);
  stall(STALL);
  expect(watch.stalledFor()).toBeGreaterThan(SEEN_AT_LEAST);
  await untilCalm(watch);
});

it('a request that arrived during a stall is recognised as such', async () => {
  const watch = watchForThisTest();
  await untilCalm(watch);
  const seen = new Promise<number>((resolve) => {
    const server = createServer((socket) => socket.on('data', () => resolve(watch.stalledFor())));
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1', () => {
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      onTestFinished(() => void client.destroy());
      client.on('connect', () => {
        client.write('here');
        stall(STALL);
      });
    });
  });
  expect(await seen).toBeGreaterThan(SEEN_AT_LEAST);
});

it('no stall is reported before the first call', () => {
  const watch = watchForThisTest();
  stall(STALL);
  expect([watch.stalledFor(), watch.recentStall()]).toEqual([0, 0]);
});

it('the length of recent stalls is remembered and fades slowly', async () => {
  const watch = watchForThisTest();
  await untilCalm(watch);
  stall(STALL);
  const first = await waitUntil(() => watch.recentStall() > SEEN_AT_LEAST && watch.recentStall(), {
    what: 'the stall to be seen',
  });
  await waitUntil(() => watch.recentStall() < first, { what: 'the stall to fade' });
});
