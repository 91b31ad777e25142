import { createServer } from 'node:http';
import { redisStorage } from '@better-auth/redis-storage';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import express from 'express';
import { Redis } from 'ioredis';
import pg from 'pg';
import { argon2Password } from './argon2.js';
import { required } from './environment.js';
import { listen, reportReady } from './listen.js';

// better-auth in Express, set up as its pages on Express, PostgreSQL, Redis and Argon2 show. SESSIONS chooses where sessions
// are read (database, redis, cookie), HASHING the password hash (argon2, scrypt).
const { SESSIONS = 'database', HASHING = 'argon2' } = process.env;

const app = express();
const server = createServer(app);
const port = await listen(server);

const auth = betterAuth({
  baseURL: `http://127.0.0.1:${port}`,
  secret: required('BETTER_AUTH_SECRET'),
  database: new pg.Pool({ connectionString: required('DATABASE_URL'), max: Number(required('POOL_MAX')) }),
  emailAndPassword: { enabled: true, ...(HASHING === 'argon2' && { password: argon2Password }) },
  // Session and user in one query, as its page on PostgreSQL recommends.
  advanced: { database: { joins: true } },
  // Latchkey's limit is out of reach too.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
  ...(SESSIONS === 'redis' && {
    secondaryStorage: redisStorage({
      client: new Redis(required('REDIS_URL'), { enableAutoPipelining: true }),
    }),
  }),
  ...(SESSIONS === 'cookie' && { session: { cookieCache: { enabled: true, maxAge: 300 } } }),
});

await (await getMigrations(auth.options)).runMigrations();
await seedUsers(JSON.parse(required('EMAILS')), required('PASSWORD'));
app.disable('x-powered-by');
app.all('/api/auth/*splat', toNodeHandler(auth));
reportReady(port);

/** Creates verified users that share one password, as the benchmark does for Latchkey. */
async function seedUsers(emails, password) {
  const { internalAdapter, password: hasher } = await auth.$context;
  const stored = await hasher.hash(password);
  for (const email of emails) {
    const user = await internalAdapter.createUser({ email, name: email, emailVerified: true });
    await internalAdapter.linkAccount({
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: stored,
    });
  }
}
