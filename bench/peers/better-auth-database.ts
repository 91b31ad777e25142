import pg from 'pg';

/** Creates an empty database on the server of `url` and returns its address. */
export async function createDatabase(url: string, name: string): Promise<string> {
  await query(url, `CREATE DATABASE ${name}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return created.href;
}

/** Returns one of the password hashes that better-auth has stored. */
export async function storedHash(url: string): Promise<string> {
  const [row] = await query(url, 'SELECT password FROM account LIMIT 1');
  return row?.password ?? '';
}

async function query(url: string, sql: string): Promise<{ password?: string }[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<{ password?: string }>(sql)).rows;
  } finally {
    await client.end();
  }
}
