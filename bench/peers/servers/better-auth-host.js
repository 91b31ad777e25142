import { betterAuth } from 'better-auth';
import { toNodeHandler } from 'better-auth/node';
import express from 'express';
import pg from 'pg';
import { argon2Password } from './argon2.js';
import { required } from './environment.js';

// The least app with better-auth on an existing database: it imports what it needs, and checks no schema.
const port = Number(required('PORT'));
const auth = betterAuth({
  baseURL: `http://127.0.0.1:${port}`,
  secret: required('BETTER_AUTH_SECRET'),
  database: new pg.Pool({ connectionString: required('DATABASE_URL'), max: Number(required('POOL_MAX')) }),
  emailAndPassword: { enabled: true, password: argon2Password },
  advanced: { database: { joins: true } },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
});

const app = express();
app.disable('x-powered-by');
app.all('/api/auth/*splat', toNodeHandler(auth));
app.listen(port, '127.0.0.1');
