// Entry point of operators' tools. Separate from the others, so that commands load no more than they use.
export { createAdministration } from './compose/create-administration.js';
export type { Administration } from './compose/administration.js';
export { diagnose, type DiagnosisRequest } from './compose/diagnose.js';
export { openMigrations, type Migrations } from './compose/open-migrations.js';
export { checkProviders } from './compose/check-providers.js';
export { sendTestMail } from './compose/send-test-mail.js';
// Exported by the core, too: commands do without the core.
export { readSettings } from '@latchkey/core/internal/settings/read-settings';
export { Secret } from '@latchkey/core/internal/settings/secret';

export type { AccessReport, KeyCase, ModuleCase } from '@latchkey/core/internal/access/access-report';
export type { PolicySwitch } from '@latchkey/core/internal/access/access-schema';
export type { ModuleReason } from '@latchkey/core/internal/access/effective-modules';
export type {
  MemberPreviewView,
  PolicyPreviewView,
  PreviewOptions,
} from '@latchkey/core/internal/access/policy-preview';
export type { BootstrapOutcome, FirstSuperadmin } from '@latchkey/core/internal/admin/bootstrap';
export type { EveryoneRevoked, EveryoneRun, RevokeEveryone } from '@latchkey/core/internal/admin/everyone';
export type {
  RoleFile,
  RolePreviewInput,
  RolePreviewView,
} from '@latchkey/core/internal/company-roles/company-role-schema';
export type { AuditTail } from '@latchkey/core/internal/audit/audit-tail';
export type { CheckReport } from './doctor/diagnosis.js';
export {
  buildBreachList,
  type BreachListProgress,
  type BreachListRequest,
  type BuiltBreachList,
} from './breach-list/build-breach-list.js';
export { replaceSecretFile } from '@latchkey/core/internal/files/secret-file';
export type { OutboxFilter } from '@latchkey/core/internal/mail/outbox-filter';
export type { ReencryptedSecrets } from '@latchkey/core/internal/factors/factor-reencryption';
export type { FailedMails } from '@latchkey/core/internal/mail/outbox-list-repository';
export type { OutboxMailView } from '@latchkey/core/internal/mail/outbox-mail-schema';
export type { OutboxState } from '@latchkey/core/internal/mail/outbox-mail';
export type { SmtpTestOutcome } from '@latchkey/core/internal/mail/smtp-test';
export type {
  CleanupOrder,
  CleanupPlan,
  CleanupProgress,
  CleanupRequest,
  CleanupResult,
} from './maintenance/cleanup.js';
export type { RetentionKind } from './maintenance/retention.js';
export type { OwnedPasskeyView } from '@latchkey/core/internal/passkeys/passkey-schema';
export type { ApiKeyFilter, IdentifiedApiKey } from '@latchkey/core/internal/api-keys/api-key-administration';
export type { PasswordSet } from '@latchkey/core/internal/password-reset/password-administration';
export type { PasswordToSet } from '@latchkey/core/internal/password-reset/password-reset-schema';
export type { ServiceClient } from '@latchkey/core/internal/service-tokens/service-client';
export { ServiceClientFile } from '@latchkey/core/internal/service-tokens/service-client-file';
export {
  checkedClient,
  entryOf,
  type ServiceClientEntry,
} from '@latchkey/core/internal/service-tokens/service-client-list';
export { newServiceSecret } from '@latchkey/core/internal/service-tokens/service-secret';
export type { SessionDetailsView } from '@latchkey/core/internal/sessions/session-schema';
export {
  MigrationError,
  PendingMigrationsError,
  type MigrationResult,
  type MigrationStatus,
  type PendingMigration,
} from '@latchkey/core/internal/storage/migrator';
export { parseFirebaseHashConfig, type FirebaseHashParameters } from './user-import/formats/firebase-hash.js';
export type { ExportOptions } from './user-export/user-exporter.js';
export type { ImportFormat } from './user-import/formats/source-entry.js';
export type { ImportReport } from './user-import/import-check.js';
export type { ImportProgress, ImportRequest } from './user-import/import-options.js';
export type { ImportFollower, ImportResult } from './user-import/user-importer.js';
export { canonicalEmail } from '@latchkey/core/internal/users/email';
