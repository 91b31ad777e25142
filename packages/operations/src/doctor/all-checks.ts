import { checkGroups, type Check } from './check.js';
import { addressChecks } from './checks/address-checks.js';
import { breachListChecks } from './checks/breach-list-checks.js';
import { contentChecks } from './checks/content-checks.js';
import { coreServiceChecks } from './checks/core-service-checks.js';
import { databaseChecks } from './checks/database-checks.js';
import { databaseHostChecks } from './checks/database-host-checks.js';
import { durabilityChecks } from './checks/durability-checks.js';
import { financeChecks } from './checks/finance-checks.js';
import { geoipChecks } from './checks/geoip-checks.js';
import { keyChecks } from './checks/key-checks.js';
import { machineChecks } from './checks/machine-checks.js';
import { mailChecks } from './checks/mail-checks.js';
import { providerChecks } from './checks/provider-checks.js';
import { redisChecks } from './checks/redis-checks.js';
import { settingsChecks } from './checks/settings-checks.js';
import { webhookChecks } from './checks/webhook-checks.js';

const checks: readonly Check[] = [
  ...settingsChecks,
  ...keyChecks,
  ...addressChecks,
  ...databaseChecks,
  ...databaseHostChecks,
  ...durabilityChecks,
  ...contentChecks,
  ...redisChecks,
  ...mailChecks,
  ...webhookChecks,
  ...providerChecks,
  ...coreServiceChecks,
  ...financeChecks,
  ...machineChecks,
  ...breachListChecks,
  ...geoipChecks,
];

/** All checks, sorted by their headings. */
export const allChecks: readonly Check[] = checkGroups.flatMap((group) =>
  checks.filter((each) => each.group === group),
);
