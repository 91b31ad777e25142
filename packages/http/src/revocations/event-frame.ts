import type { RevocationPage } from '@latchkey/core';

const frames = new WeakMap<RevocationPage, Buffer>();
let lastHeartbeat: { cursor: string; frame: Buffer } | undefined;

/** Returns the event of a page, made once for all streams. */
export function frameOf(page: RevocationPage): Buffer {
  const known = frames.get(page);
  if (known) return known;
  const frame = eventFrame('revocations', page.cursor, `{"entries":${JSON.stringify(page.entries)}}`);
  frames.set(page, frame);
  return frame;
}

/** Returns a heartbeat, made once for all streams that get it at the same time. */
export function heartbeatOf(cursor: string): Buffer {
  if (lastHeartbeat?.cursor !== cursor)
    lastHeartbeat = { cursor, frame: eventFrame('heartbeat', cursor, '{}') };
  return lastHeartbeat.frame;
}

const eventFrame = (event: string, cursor: string, data: string): Buffer =>
  Buffer.from(`event: ${event}\nid: ${cursor}\ndata: ${data}\n\n`);
