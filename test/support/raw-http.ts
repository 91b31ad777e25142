import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when nothing that looks like an answer came. */
  status: number;
  /** Status line and headers. */
  head: string;
  body: string;
}

/**
 * Writes bytes to a socket as they are and reads until the server closes it: for requests that no HTTP client would
 * send. `end` closes our side after writing; otherwise it stays open, as of a client that has more to say.
 */
export function exchangeBytes(
  url: string,
  bytes: string | Buffer,
  { end = false }: { end?: boolean } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => {
      socket.write(bytes);
      if (end) socket.end();
    });
    socket.setTimeout(15_000, () => socket.destroy(new Error('the server kept the connection open')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      socket.end();
      resolve(read(Buffer.concat(chunks).toString()));
    });
  });
}

function read(text: string): RawAnswer {
  const border = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    head: border < 0 ? text : text.slice(0, border),
    body: border < 0 ? '' : text.slice(border + 4),
  };
}
