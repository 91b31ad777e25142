import type { ServerResponse } from 'node:http';
import { z } from 'zod';

/** A simulated failure of the core service, to observe Latchkey's reaction. */
export const fault = z.discriminatedUnion('kind', [
  /** Responds after this many seconds. */
  z.strictObject({ kind: z.literal('slow'), seconds: z.number().min(0).max(600) }),
  /** Responds at once, but its body takes this many seconds to end. */
  z.strictObject({ kind: z.literal('slow-body'), seconds: z.number().min(0).max(600) }),
  z.strictObject({ kind: z.literal('status'), status: z.int().min(200).max(599) }),
  z.strictObject({ kind: z.literal('redirect'), location: z.string() }),
  /** Responds with 200 and this text. */
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  /** Responds with 200 and this many megabytes of modules. */
  z.strictObject({ kind: z.literal('huge'), megabytes: z.number().min(1).max(64) }),
  /** Closes the connection without a response, this many times. */
  z.strictObject({ kind: z.literal('reset'), times: z.int().min(1) }),
]);
export type Fault = z.output<typeof fault>;

/** Sends the response of the fault; `answer` sends the correct one, for faults that only delay it. */
export function commit(wanted: Fault, response: ServerResponse, answer: () => void): void {
  switch (wanted.kind) {
    case 'slow':
      later(wanted.seconds, response, answer);
      break;
    case 'slow-body':
      response.writeHead(200, JSON_TYPE).write('{"modules":');
      later(wanted.seconds, response, () => response.end('[]}'));
      break;
    case 'status':
      response.writeHead(wanted.status, JSON_TYPE).end('{"success":false}');
      break;
    case 'redirect':
      response.writeHead(302, { location: wanted.location }).end();
      break;
    case 'text':
      response.writeHead(200, JSON_TYPE).end(wanted.text);
      break;
    case 'huge':
      response.writeHead(200, JSON_TYPE).end(hugeAnswer(wanted.megabytes));
      break;
    case 'reset':
      response.destroy();
      break;
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

function later(seconds: number, response: ServerResponse, work: () => void): void {
  const timer = setTimeout(work, seconds * 1000);
  response.once('close', () => clearTimeout(timer));
}

function hugeAnswer(megabytes: number): string {
  const modules = Array.from({ length: megabytes * 11_000 }, (_, index) => `module-${index}`.padEnd(95, 'x'));
  return JSON.stringify({ modules });
}
