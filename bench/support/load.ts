import autocannon, { type Client } from 'autocannon';

export interface Load {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
  /** Makes the body of each request of one connection, from the answer before it. */
  bodies?: (connection: number) => NextBody;
}

/** The body of the next request; `answer` is undefined for the first. */
export type NextBody = (answer: string | undefined) => string;

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Drives one endpoint from several connections, each waiting for its answer; any answer but 2xx is a failure. */
export async function drive(load: Load): Promise<LoadResult> {
  let connection = 0;
  const result = await autocannon({
    url: load.url,
    method: load.method ?? 'GET',
    headers: { 'content-type': 'application/json', ...load.headers },
    connections: load.connections,
    duration: load.seconds,
    setupClient: (client) => {
      if (load.bodies) feed(client, load.bodies(connection++));
    },
  });
  const bad = result.non2xx + result.errors;
  if (bad > 0) throw new Error(`${load.url}: ${bad} requests failed`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

function feed(client: Client, next: NextBody): void {
  const setBody = (answer: string | undefined) => client.setBody(next(answer));
  setBody(undefined);
  client.on('body', (body: Buffer | string) => setBody(body.toString()));
}
