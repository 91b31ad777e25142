import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { reportUsageErrors } from '../tools/shared/usage-error.js';
import { BenchEnvironment } from './support/environment.js';
import { readSoakOptions, type SoakOptions } from './support/soak/soak-options.js';
import { Visitor, type Counts } from './support/soak/visitor.js';
import { coursesOf, readVitalSigns, type Course, type VitalSigns } from './support/soak/vital-signs.js';

// Runs the built service for a long time and fails if anything grows.
const SAMPLES = 120;
/** Share of requests that may be answered 503: a starved machine is busy for moments, a service that leaks for longer and longer. */
const MOST_BUSY = 0.001;

await reportUsageErrors(async () => {
  const options = readSoakOptions(process.argv.slice(2));
  if (typeof options === 'string') console.log(options);
  else await soak(options);
});

async function soak({ seconds, clients }: SoakOptions): Promise<void> {
  console.log(`${clients} clients for ${seconds / 60} minutes …`);
  const environment = await BenchEnvironment.open();
  const feed = new AbortController();
  try {
    await listenToFeed(environment, feed.signal);
    const counts: Counts = new Map();
    const end = performance.now() + seconds * 1000;
    let hasFailed = false;
    const isOver = () => hasFailed || performance.now() >= end;
    const visits = environment.emails
      .slice(0, clients)
      .map((email) => new Visitor(environment.service.url, email, counts).run(isOver));
    const sampling = sample(environment, seconds, isOver);
    // A failure ends the others first, so that it is the one that is reported.
    for (const work of [sampling, ...visits]) work.catch(() => (hasFailed = true));
    await Promise.allSettled([sampling, ...visits]);
    await Promise.all(visits);
    report(coursesOf(await sampling, seconds), counts);
  } finally {
    feed.abort();
    await environment.close();
  }
}

/** Keeps an event stream of the revocation feed open, as a verifier does. */
async function listenToFeed({ service, settings }: BenchEnvironment, signal: AbortSignal): Promise<void> {
  const headers = {
    accept: 'text/event-stream',
    'x-internal-api-key': settings.AUTH_INTERNAL_API_KEY ?? '',
  };
  const response = await fetch(`${service.url}/internal/revocations`, { headers, signal });
  if (response.status !== 200) throw new Error(`the feed answered ${response.status}`);
  void drain(response).catch(() => undefined);
}

async function drain({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  while (reader && !(await reader.read()).done);
}

async function sample(
  { service, postgres }: BenchEnvironment,
  seconds: number,
  isOver: () => boolean,
): Promise<VitalSigns[]> {
  const sql = new pg.Client(postgres.url);
  await sql.connect();
  const samples: VitalSigns[] = [];
  try {
    while (!isOver()) {
      samples.push(await readVitalSigns(service.pid, sql));
      await sleep((seconds * 1000) / SAMPLES);
    }
  } finally {
    await sql.end();
  }
  return samples;
}

function report(courses: readonly Course[], counts: Counts): void {
  const requests = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const busy = [...counts].reduce((sum, [key, count]) => sum + (key.endsWith(' 503') ? count : 0), 0);
  const isTooBusy = busy > requests * MOST_BUSY;
  const repeated = busy === 0 ? '' : `, ${busy} after a 503${isTooBusy ? ': TOO MANY' : ''}`;
  console.log(`${requests.toLocaleString('en')} requests, each with the expected response${repeated}`);
  for (const [key, count] of [...counts].sort())
    console.log(`  ${count.toLocaleString('en').padStart(9)}  ${key}`);
  for (const { sign, thirds, isJudged, isFlat } of courses) {
    const values = thirds.map((value) =>
      sign === 'memory' ? `${Math.round(value / 1e6)} MB` : String(value),
    );
    const verdict = isJudged ? (isFlat ? 'flat' : 'GROWS') : 'not judged in so short a run';
    console.log(`${sign.padEnd(11)} ${values.join(', ')} (medians of the thirds): ${verdict}`);
  }
  if (isTooBusy || courses.some(({ isJudged, isFlat }) => isJudged && !isFlat)) process.exitCode = 1;
}
