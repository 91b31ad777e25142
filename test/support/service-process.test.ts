import { expect, it } from 'vitest';
import { launchService } from './service-process.js';

it('a service process ends by the signal it is sent', async () => {
  const service = await launchService({ env: { NODE_ENV: 'test' } });
  service.signal('SIGKILL');
  expect(await service.exited).toEqual({ code: null, signal: 'SIGKILL' });
});
