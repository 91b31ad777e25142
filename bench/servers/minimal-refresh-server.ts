import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import express from 'express';
import pg from 'pg';

// The minimum work of a token refresh: one prepared statement and one signature, which does not block other requests.
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signAsync = promisify(sign);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const ROTATE = {
  name: 'bench_rotate',
  text: 'UPDATE bench_refresh SET generation = generation + 1, secret = $2 WHERE id = $1 RETURNING generation',
};

const app = express();

app.post('/refresh', express.json(), async (request, response) => {
  const { id } = request.body as { id: number };
  const { rows } = await pool.query<{ generation: number }>({ ...ROTATE, values: [id, randomUUID()] });
  const claims = Buffer.from(JSON.stringify({ sub: id, jti: randomUUID(), generation: rows[0]?.generation }));
  const signature = await signAsync('RSA-SHA256', claims, privateKey);
  response.json({ success: true, data: { accessToken: signature.toString('base64url') } });
});

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
