import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import express from 'express';
import pg from 'pg';
import { unobserved } from '../../packages/core/src/kernel/observer.js';
import { PasswordHasher } from '../../packages/core/src/passwords/password-hasher.js';
import { ARGON2 } from '../support/argon2.js';

// The minimum work of a sign-in that opens a session: Express as it is shipped, the user by email, the hash on the
// service's threads, one row that is committed, and one signature. And that of a registration: the hash and one row.
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signAsync = promisify(sign);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const workers = Number(process.env.HASHING_THREADS);
const hasher = await PasswordHasher.start({ ...ARGON2, workers, observer: unobserved });

const FIND = { name: 'bench_find', text: 'SELECT id, password_hash FROM users WHERE email = $1' };
const OPEN = {
  name: 'bench_open',
  text: 'INSERT INTO bench_sign_in (id, user_id, secret) VALUES ($1, $2, $3)',
};

const REGISTER = {
  name: 'bench_register',
  text: 'INSERT INTO bench_registration (id, email, password_hash, full_name) VALUES ($1, $2, $3, $4)',
};

const app = express();

app.post('/sign-in', express.json(), async (request, response) => {
  const { email, password } = request.body as { email: string; password: string };
  const { rows } = await pool.query<{ id: string; password_hash: string }>({ ...FIND, values: [email] });
  const [user] = rows;
  if (!user || !(await hasher.verify(user.password_hash, password))) {
    response.sendStatus(401);
    return;
  }
  const refreshToken = randomBytes(32).toString('base64url');
  const id = randomUUID();
  await pool.query({ ...OPEN, values: [id, user.id, createHash('sha256').update(refreshToken).digest()] });
  const claims = Buffer.from(JSON.stringify({ sub: user.id, sid: id, jti: randomUUID() }));
  const signature = await signAsync('RSA-SHA256', claims, privateKey);
  response.json({ success: true, data: { accessToken: signature.toString('base64url'), refreshToken } });
});

app.post('/register', express.json(), async (request, response) => {
  const { email, password, fullName } = request.body as { email: string; password: string; fullName: string };
  const values = [randomUUID(), email, await hasher.hash(password), fullName];
  await pool.query({ ...REGISTER, values });
  response.status(201).json({ success: true, data: { email, status: 'pending' } });
});

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
