import { z } from 'zod';
import { anyone } from '../callers/anyone.js';
import { route } from '../http/route.js';

export const health = route({
  method: 'get',
  path: '/health',
  summary: 'Is the process alive? Touches nothing.',
  caller: anyone,
  reply: z.object({ status: z.literal('ok') }),
  handle: () => ({ status: 'ok' as const }),
});

const checkResult = z.enum(['ok', 'not_configured']);

export const ready = route({
  method: 'get',
  path: '/ready',
  summary: 'Can the process do its work? Pings every dependency.',
  caller: anyone,
  reply: z.object({
    status: z.literal('ready'),
    checks: z.object({ database: checkResult, redis: checkResult, finance: checkResult }),
  }),
  handle: ({ auth }) => auth.health.ready(),
});
