// One copy of the core is installed. Where npm nests a second one all the same, errors of either are understood.
import assert from 'node:assert/strict';
import { cpSync, existsSync, rmSync } from 'node:fs';
import express from 'express';

const scope = 'node_modules/@latchkey';
const nested = `${scope}/express-adapter/node_modules`;
for (const name of ['express-adapter', 'testing', 'operations', 'server', 'cli']) {
  assert.ok(!existsSync(`${scope}/${name}/node_modules/@latchkey/core`), `${name} has a core of its own`);
}

cpSync(`${scope}/core`, `${nested}/@latchkey/core`, { recursive: true });
try {
  const { AuthError } = await import('@latchkey/core');
  const { createTestAuth } = await import('@latchkey/testing');
  const { authErrors, createAuthRouter } = await import('@latchkey/express-adapter');
  const kit = await createTestAuth();
  const app = express();
  app.use('/identity', createAuthRouter(kit.auth));
  app.get('/refused', () => {
    throw AuthError.forbidden();
  });
  app.use(authErrors(kit.auth));
  const server = app.listen(0);
  try {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}/refused`);
    assert.equal(answer.status, 403);
  } finally {
    server.close();
    await kit.close();
  }
} finally {
  rmSync(nested, { recursive: true, force: true });
}
