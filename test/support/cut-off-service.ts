import { onTestFinished } from 'vitest';
import { serviceForThisTest, type TestService, type TestServiceOptions } from './service.js';
import { TcpLink } from './tcp-link.js';
import { createTestDatabase } from './test-database.js';

/** A service whose way to its database can be cut, for the length of one test. */
export async function cutOffServiceForThisTest(
  options?: TestServiceOptions,
): Promise<{ service: TestService; link: TcpLink }> {
  const database = await createTestDatabase();
  const link = await TcpLink.to(database.url);
  onTestFinished(async () => {
    await link.close();
    await database.drop();
  });
  const service = await serviceForThisTest({ ...options, databaseUrl: link.by(database.url) });
  return { service, link };
}
