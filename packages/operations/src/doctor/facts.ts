import type { SettingsInspection } from '@latchkey/core/internal/settings/inspect-settings';
import type { Settings } from '@latchkey/core/internal/settings/settings';
import type { MigrationStatus } from '@latchkey/core/internal/storage/migrator';
import type { BreachListFacts } from './probes/breach-list-probe.js';
import type { ContentFacts } from './probes/content-probe.js';
import type { CoreServiceFacts } from './probes/core-service-probe.js';
import type { DataFolderFacts } from './probes/data-folder-probe.js';
import type { DatabaseHostFacts } from './probes/database-hosts-probe.js';
import type { DatabaseFacts } from './probes/database-probe.js';
import type { FinanceFacts } from './probes/finance-probe.js';
import type { GeoipFacts } from './probes/geoip-probe.js';
import type { HashingFacts } from './probes/hashing-probe.js';
import type { KeyFacts } from './probes/key-probe.js';
import type { MailServerFacts } from './probes/mail-server-probe.js';
import type { ProviderFacts } from './probes/providers-probe.js';
import type { RedisFacts } from './probes/redis-probe.js';
import type { RuntimeFacts } from './probes/runtime-probe.js';
import type { SenderFacts } from './probes/sender-probe.js';

/** The facts that checks judge. Each is found by one probe. */
export interface Facts {
  inspection: SettingsInspection;
  settings: Settings;
  /** Number of processes of the service that share the database. */
  replicas: number;
  keys: KeyFacts;
  hashing: HashingFacts;
  breachList: BreachListFacts;
  geoip: GeoipFacts;
  runtime: RuntimeFacts;
  dataFolder: DataFolderFacts;
  database: DatabaseFacts;
  /** The hosts of an address with several. */
  databaseHosts: DatabaseHostFacts[];
  schema: MigrationStatus[];
  content: ContentFacts;
  redis: RedisFacts;
  mailServer: MailServerFacts;
  sender: SenderFacts;
  providers: ProviderFacts[];
  coreService: CoreServiceFacts;
  finance: FinanceFacts;
}

export type FactName = keyof Facts;
