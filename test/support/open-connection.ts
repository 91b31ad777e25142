import pg from 'pg';

/**
 * Opens a connection beside any pool, for statements of a test. Once it is lost, its next query rejects; a bare client would end the
 * whole run with an uncaught error.
 */
export async function openConnection(url: string): Promise<pg.Client> {
  const connection = new pg.Client(url);
  connection.on('error', () => undefined);
  await connection.connect();
  return connection;
}
