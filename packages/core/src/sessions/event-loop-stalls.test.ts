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

/** New connections of a burst; the loop accepts one per turn. */
const BURST = 20;

/** Lets the loop turn so often without sleeping in between. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
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

it('every request of a burst of new connections that arrived during a stall is recognised as such', async () => {
  const watch = watchForThisTest();
  await untilCalm(watch);
  const seen: number[] = [];
  const server = createServer((socket) => socket.on('data', () => seen.push(watch.stalledFor())));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (let client = 0; client < BURST; client++) {
    const socket = connect(port, '127.0.0.1');
    socket.write('here');
    onTestFinished(() => void socket.destroy());
  }
  stall(STALL);
  await waitUntil(() => seen.length === BURST, { what: 'every request to be read' });
  expect(Math.min(...seen)).toBeGreaterThan(SEEN_AT_LEAST);
});

it('a request that waited through two stalls is dated to the first of them', async () => {
  const watch = watchForThisTest();
  await untilCalm(watch);
  stall(STALL);
  await turns(3);
  stall(STALL / 2);
  await turns(3);
  expect(watch.stalledFor()).toBeGreaterThan(SEEN_AT_LEAST + STALL / 2);
});

it('a stall is forgotten half a second after its end where the loop is never idle', async () => {
  const watch = watchForThisTest();
  await untilCalm(watch);
  const start = performance.now();
  stall(STALL);
  await turns(1);
  expect(watch.stalledFor()).toBeGreaterThan(SEEN_AT_LEAST);
  while (performance.now() - start < 1000) await turns(1);
  // A busy machine may have caused another stall by now.
  expect(watch.stalledFor()).toBeLessThan(performance.now() - start - STALL);
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
