import pg from 'pg';

/** An account as a service should have it where another one migrates: it may use the tables, and change no schema. */
export async function grantService(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`
    CREATE ROLE service LOGIN PASSWORD 'service';
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT USAGE ON SCHEMA public TO service;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO service;
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO service;
  `);
  await client.end();
  const url = new URL(ownerUrl);
  url.username = 'service';
  url.password = 'service';
  return url.href;
}
