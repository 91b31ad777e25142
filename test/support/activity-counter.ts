import { ActivityCounter } from '../../packages/core/src/activity/activity-counter.js';
import { ActivityRepository } from '../../packages/core/src/activity/activity-repository.js';
import { silentLogger } from '../../packages/core/src/kernel/logger.js';
import type { Database } from '../../packages/core/src/storage/database.js';

/** Returns a counter of the audit log that has not been started. */
export const activityCounter = (database: Database): ActivityCounter =>
  new ActivityCounter(new ActivityRepository(database), silentLogger);
