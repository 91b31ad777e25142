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

/** Adds users until there are so many, each a copy of the first one with an email of its own. */
export async function fillBetterAuth(url: string, users: number): Promise<void> {
  await query(
    url,
    `WITH first AS (SELECT u.*, a.password FROM "user" u JOIN account a ON a."userId" = u.id LIMIT 1),
     copies AS (
       INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
       SELECT 'copy' || n, name, 'user' || n || '@example.com', true, now(), now()
       FROM first, generate_series(1, ${users - 1}) AS n RETURNING id)
     INSERT INTO account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
     SELECT copies.id, copies.id, 'credential', copies.id, first.password, now(), now() FROM copies, first`,
  );
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
