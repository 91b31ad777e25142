import { healthReport } from '@latchkey/core/schemas';
import { staff } from '../../callers/staff.js';
import { route } from '../../routing/route.js';

/** The state of the process that answers, for administrators of the platform. */
export const serviceHealth = route({
  method: 'get',
  path: '/internal/health',
  operationId: 'getHealthReport',
  tag: 'Operations',
  summary: 'Get the state of the service',
  description:
    'Of the replica that answers: its dependencies with latency, unsent mail, the revocation feed, load, version and settings that are not secret. 200 whatever the state.',
  caller: staff('operate'),
  reply: healthReport,
  handle: ({ auth }) => auth.healthReport.read(),
});
