import { PASSWORD, type SignIn } from '../environment.js';
import type { ClosedLoad } from '../load.js';
import { meterLoad } from '../meter.js';
import { cpuOf, type Sample } from '../sample.js';
import { median } from '../statistics.js';
import type { Figure } from './figure.js';
import type { ScaleTarget } from './scale-target.js';

const CONNECTIONS = 50;
const ROUNDS = 3;
const SECONDS = 2;
/** More connections than cores wait for hashes only. */
const LOGIN_CONNECTIONS = 4;
const RATIO = 1.2;

/** Measures the requests that users send all day, in turns. Their CPU time is compared between sizes. */
export async function hotFigures(target: ScaleTarget, sessions: SignIn[]): Promise<Figure[]> {
  const loads = [meLoad(target, sessions), refreshLoad(target, sessions), loginLoad(target)];
  for (const load of loads) await load.run(1);
  const samples = new Map(loads.map(({ name }) => [name, [] as Sample[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run } of loads) samples.get(name)?.push(await run(SECONDS));
  }
  return [...samples].flatMap(([name, all]) => figuresOf(name, all));
}

interface HotLoad {
  name: string;
  run: (seconds: number) => Promise<Sample>;
}

const figuresOf = (name: string, samples: readonly Sample[]): Figure[] => [
  {
    label: `${name}: CPU of service and PostgreSQL`,
    unit: 'µs CPU',
    value: median(samples.map(cpuOf)),
    otherCpu: median(samples.map(({ otherCpu }) => otherCpu ?? 0)),
    goal: { ratioAtMost: RATIO },
  },
  {
    label: `${name}: latency`,
    unit: 'ms',
    value: median(samples.map(({ latency }) => latency?.p50 ?? NaN)),
    p99: median(samples.map(({ latency }) => latency?.p99 ?? NaN)),
  },
];

function meLoad(target: ScaleTarget, sessions: readonly SignIn[]): HotLoad {
  const variants = sessions.map(({ accessToken }) => ({
    headers: { authorization: `Bearer ${accessToken}` },
  }));
  return hotLoad(target, 'GET /auth/me', { url: '/auth/me', variants, connections: CONNECTIONS });
}

function loginLoad(target: ScaleTarget): HotLoad {
  const variants = target.environment.emails.map((email) => ({
    body: JSON.stringify({ email, password: PASSWORD }),
  }));
  return hotLoad(target, 'POST /auth/login', {
    url: '/auth/login',
    method: 'POST',
    variants,
    connections: LOGIN_CONNECTIONS,
  });
}

/** Each connection rotates one session; the sessions keep their last refresh tokens. */
function refreshLoad({ environment, service }: ScaleTarget, sessions: SignIn[]): HotLoad {
  const run = async (seconds: number): Promise<Sample> => {
    const { chain = [], ...sample } = await meterLoad(
      environment.driver,
      environment.withPostgres(service.pid),
      {
        kind: 'closed',
        url: `${service.url}/auth/refresh`,
        method: 'POST',
        body: '{"refreshToken":"{value}"}',
        chain: { values: sessions.map(({ refreshToken }) => refreshToken), next: ['data', 'refreshToken'] },
        connections: CONNECTIONS,
        seconds,
      },
    );
    sessions.forEach((session, index) => {
      session.refreshToken = chain[index] ?? session.refreshToken;
    });
    return sample;
  };
  return { name: 'POST /auth/refresh', run };
}

function hotLoad(
  { environment, service }: ScaleTarget,
  name: string,
  load: Omit<ClosedLoad, 'kind' | 'seconds'>,
): HotLoad {
  const url = `${service.url}${load.url}`;
  const run = (seconds: number): Promise<Sample> =>
    meterLoad(environment.driver, environment.withPostgres(service.pid), {
      ...load,
      kind: 'closed',
      url,
      seconds,
    });
  return { name, run };
}
