import type { Dispatcher } from 'undici';
import type { AnyLoad, Chain, RequestVariant } from './load.js';

type Options = Dispatcher.DispatchOptions;

/** Produces the requests of one connection, and takes the responses if the next request depends on them. */
export interface RequestSource {
  next(): Options;
  /** Takes the text of a response. Undefined if no request depends on it. */
  take?: (text: string) => void;
  /** Current value of the chain, if there is one. */
  value?: () => string;
}

/** Distinguishes the unique texts of this process from those of others and of earlier runs. */
const RUN = `${process.pid.toString(36)}${Date.now().toString(36)}`;
let serial = 0;

/** Returns the source of one of the load's connections. */
export function requestSource(load: AnyLoad, connection: number): RequestSource {
  const requests = (load.variants ?? [{}]).map((variant) => optionsOf(load, variant));
  const chain = load.kind === 'closed' ? load.chain : undefined;
  if (chain) return chained(requests, chain, connection);
  return { next: turns(requests.map(uniquePart), connection, load.connections) };
}

function chained(requests: readonly Options[], chain: Chain, connection: number): RequestSource {
  const first = chain.values[connection];
  if (first === undefined) throw new Error(`the chain has no value for connection ${connection}`);
  let value = first;
  let request = 0;
  return {
    next: () => replaced(requests[request++ % requests.length]!, '{value}', value),
    take: (text) => {
      value = valueAt(JSON.parse(text), chain.next);
    },
    value: () => value,
  };
}

function turns(requests: readonly (() => Options)[], connection: number, connections: number): () => Options {
  let index = connection;
  return () => {
    const request = requests[index % requests.length]!;
    index += connections;
    return request();
  };
}

/** Requests without a placeholder are built once. */
function uniquePart(options: Options): () => Options {
  if (!JSON.stringify(options).includes('{unique}')) return () => options;
  return () => replaced(options, '{unique}', `${RUN}-${serial++}`);
}

function optionsOf(load: AnyLoad, variant: RequestVariant): Options {
  const { origin, pathname, search } = new URL(load.url);
  const body = variant.body ?? load.body;
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...load.headers,
    ...variant.headers,
  };
  return {
    origin,
    path: variant.path ?? `${pathname}${search}`,
    method: load.method ?? 'GET',
    headers: Object.entries(headers).flat(),
    ...(body !== undefined && { body }),
  };
}

function replaced(options: Options, placeholder: string, text: string): Options {
  const fill = (template: string) => template.replaceAll(placeholder, () => text);
  return {
    ...options,
    path: fill(options.path),
    headers: (options.headers as string[]).map(fill),
    ...(typeof options.body === 'string' && { body: fill(options.body) }),
  };
}

function valueAt(json: unknown, path: readonly string[]): string {
  let value = json;
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
  if (typeof value !== 'string') throw new Error(`the response has no text at ${path.join('.')}`);
  return value;
}
