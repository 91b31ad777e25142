import { passkeyMetricsView } from '@latchkey/core/schemas';
import { internalKey } from '../../callers/internal-key.js';
import { route } from '../../routing/route.js';

export const passkeyMetrics = route({
  method: 'get',
  path: '/internal/admin/passkey-metrics',
  operationId: 'getPasskeyMetrics',
  tag: 'Platform',
  summary: 'Get the response counts of the passkey routes',
  description: 'Counts of this process since it started.',
  caller: internalKey,
  reply: passkeyMetricsView,
  handle: ({ auth }) => auth.passkeyMetrics.read(),
});
