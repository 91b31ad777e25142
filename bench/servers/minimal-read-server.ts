import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';

// The minimum work of a request that must not accept a revoked session: Express as it is shipped, one prepared statement
// that reads one row by its key, and the same JSON as the service.
const reply = JSON.parse(process.env.BODY ?? '{}') as unknown;
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const READ = { name: 'bench_read', text: 'SELECT is_revoked, expires_at FROM sessions WHERE id = $1' };

const app = express();

app.get('/read', async (request, response) => {
  const { rows } = await pool.query<{ is_revoked: boolean; expires_at: Date }>({
    ...READ,
    values: [request.get('x-session-id')],
  });
  const [session] = rows;
  if (!session || session.is_revoked || session.expires_at < new Date()) response.sendStatus(401);
  else response.json(reply);
});

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
