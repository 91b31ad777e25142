// The benchmark holds standard input open, so it ends when the benchmark does, however it ends.
process.stdin.resume().once('end', () => process.exit());

/** Listens on a free port of 127.0.0.1 and returns it. */
export async function listen(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address().port;
}

/** Reports that the server on this port is ready for requests, as `startPeerServer` expects. */
export function reportReady(port) {
  process.stdout.write(`listening ${port}\n`);
}
