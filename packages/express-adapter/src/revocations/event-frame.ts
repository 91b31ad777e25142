import type { RevocationPage } from '@latchkey/core';

/** An event as bytes, and as the chunk of a chunked body that contains it; both share their memory. */
export interface EventFrame {
  bytes: Buffer;
  chunk: Buffer;
}

const frames = new WeakMap<RevocationPage, EventFrame>();
let lastHeartbeat: { cursor: string; frame: EventFrame } | undefined;

/** Returns the event of a page, made once for all streams. */
export function frameOf(page: RevocationPage): EventFrame {
  const known = frames.get(page);
  if (known) return known;
  const frame = eventFrame('revocations', page.cursor, `{"entries":${JSON.stringify(page.entries)}}`);
  frames.set(page, frame);
  return frame;
}

/** Returns a heartbeat, made once for all streams that get it at the same time. */
export function heartbeatOf(cursor: string): EventFrame {
  if (lastHeartbeat?.cursor !== cursor)
    lastHeartbeat = { cursor, frame: eventFrame('heartbeat', cursor, '{}') };
  return lastHeartbeat.frame;
}

/** RFC 9112 section 7.1: a chunk is its length in hexadecimal digits, a line end, the bytes and another line end. */
function eventFrame(event: string, cursor: string, data: string): EventFrame {
  const text = `event: ${event}\nid: ${cursor}\ndata: ${data}\n\n`;
  const length = Buffer.byteLength(text);
  const head = `${length.toString(16)}\r\n`;
  const chunk = Buffer.from(`${head}${text}\r\n`);
  return { bytes: chunk.subarray(head.length, head.length + length), chunk };
}
