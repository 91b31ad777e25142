import { createSocket } from 'node:dgram';
import { onTestFinished } from 'vitest';

const HEADER_BYTES = 12;
const KINDS: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** Returns the data of the records of a name, such as four bytes of an address; undefined gives no answer at all. */
export type DnsZone = (name: string, kind: 'A' | 'AAAA' | undefined) => readonly Buffer[] | undefined;

/** Starts a server of DNS on a free port. @returns its address for `setServers`. */
export async function startDnsServer(zone: DnsZone): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    const records = zone(name, KINDS[type]);
    if (records) socket.send(answerTo(query.subarray(0, end), type, records), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** Reads the question of a query (RFC 1035, section 4.1.2). */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Each record names the question by a pointer (RFC 1035, section 4.1.4). */
function answerTo(question: Buffer, type: number, records: readonly Buffer[]): Buffer {
  const header = Buffer.from(question);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(records.length, 6);
  header.fill(0, 8, HEADER_BYTES);
  return Buffer.concat([header, ...records.flatMap((data) => [recordHead(type, data.length), data])]);
}

function recordHead(type: number, length: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(length, 10);
  return head;
}
