import autocannon, { type Client } from 'autocannon';

export interface Load {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
  /** Returns a function that creates the request bodies of one connection. */
  bodies?: (connection: number) => NextBody;
}

/** Creates the body of the next request from the previous response, which is undefined for the first request. */
type NextBody = (response: string | undefined) => string;

export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
}

/**
 * Sends requests to one endpoint on several connections, one request at a time on each.
 * @throws Error when a request fails or its status is not 2xx.
 */
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
  const setBody = (response: string | undefined) => client.setBody(next(response));
  setBody(undefined);
  client.on('body', (body: Buffer | string) => setBody(body.toString()));
}
