// Entry point for tests of host apps: a real Auth on a database of its own, and tokens without one. Separate
// from the others, since no program in production needs it.
export { createTestAuth, type TestAuthOptions } from './testing/create-test-auth.js';
export type { TestAuth } from './testing/test-auth.js';
export type { TestClock } from './testing/test-clock.js';
export type { CapturedMail, TestMail } from './testing/test-mail.js';
export type { NewTestCompany, TestCompany } from './testing/test-companies.js';
export { TEST_PASSWORD, type NewTestUser, type TestUser } from './testing/test-users.js';
export type { KitSettings } from './testing/kit-settings.js';
export {
  createTestIssuer,
  type NewTestToken,
  type TestIssuer,
  type TestIssuerOptions,
} from './testing/test-issuer.js';
export {
  startTestDatabase,
  type TestDatabaseOptions,
  type TestDatabaseServer,
} from './testing/test-database.js';
