// Entry point for tests of host apps: a real Auth on a database of its own, and tokens without one.
export { createTestAuth, type TestAuthOptions } from './kit/create-test-auth.js';
export type { TestAuth } from './kit/test-auth.js';
export type { TestClock } from './kit/test-clock.js';
export type { CapturedMail, TestMail } from './kit/test-mail.js';
export type { ReceivedWebhook, TestWebhooks } from './kit/test-webhooks.js';
export type { NewTestCompany, TestCompany } from './kit/test-companies.js';
export { TEST_PASSWORD, type NewTestUser, type TestUser } from './kit/test-users.js';
export type { KitSettings } from './kit/kit-settings.js';
export {
  createTestIssuer,
  type NewTestToken,
  type TestIssuer,
  type TestIssuerOptions,
} from './kit/test-issuer.js';
export { startTestDatabase, type TestDatabaseOptions, type TestDatabaseServer } from './kit/test-database.js';
