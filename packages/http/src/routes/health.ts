import { z } from 'zod';
import { anyone } from '../callers/anyone.js';
import { route } from '../routing/route.js';

export const health = route({
  method: 'get',
  path: '/health',
  operationId: 'checkHealth',
  tag: 'Platform',
  summary: 'Report that the process is alive',
  description: 'For liveness probes. Checks no dependency.',
  caller: anyone,
  reply: z.object({ status: z.literal('ok') }).meta({ id: 'Alive', examples: [{ status: 'ok' }] }),
  handle: () => ({ status: 'ok' as const }),
});

const checkResult = z.enum(['ok', 'not_configured']);

export const ready = route({
  method: 'get',
  path: '/ready',
  operationId: 'checkReadiness',
  tag: 'Platform',
  summary: 'Report whether the service is ready',
  description:
    'For readiness probes. Checks every dependency. 503 `not_ready` while one is unavailable and during shutdown.',
  failures: ['not_ready'],
  caller: anyone,
  reply: z
    .object({
      status: z.literal('ready'),
      checks: z.object({ database: checkResult, redis: checkResult, finance: checkResult }),
    })
    .meta({
      id: 'Readiness',
      examples: [{ status: 'ready', checks: { database: 'ok', redis: 'ok', finance: 'not_configured' } }],
    }),
  handle: ({ auth }) => auth.health.ready(),
});
