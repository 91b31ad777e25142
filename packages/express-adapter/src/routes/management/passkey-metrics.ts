import { passkeyMetricsView } from '@latchkey/core/schemas';
import { internalKey } from '../../callers/internal-key.js';
import { route } from '../../http/route.js';

export const passkeyMetrics = route({
  method: 'get',
  path: '/internal/admin/passkey-metrics',
  summary: 'How this process has answered the passkey routes since it started',
  caller: internalKey,
  reply: passkeyMetricsView,
  handle: ({ auth }) => auth.passkeyMetrics.read(),
});
