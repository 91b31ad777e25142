// Entry point of operators' tools. Separate from the others, so that commands load no more than they use.
export { createAdministration } from './compose/create-administration.js';
export type { Administration } from './compose/admin.js';
export { diagnose, type DiagnosisRequest } from './compose/diagnose.js';
export { openMigrations, type Migrations } from './compose/open-migrations.js';
export { sendTestMail } from './compose/send-test-mail.js';
// Exported by the core, too: commands do without the core.
export { readSettings } from './settings/read-settings.js';
export { Secret } from './settings/secret.js';

export type { AccessReport, KeyCase, ModuleCase } from './access/access-report.js';
export type { PolicySwitch } from './access/access-schema.js';
export type { ModuleReason } from './access/effective-modules.js';
export type { MemberPreviewView, PolicyPreviewView, PreviewOptions } from './access/policy-preview.js';
export type { BootstrapOutcome, FirstSuperadmin } from './admin/bootstrap.js';
export type { EveryoneRevoked, EveryoneRun, RevokeEveryone } from './admin/everyone.js';
export type { AuditTail } from './audit/audit-tail.js';
export type { CheckReport } from './doctor/diagnosis.js';
export {
  buildBreachList,
  type BreachListProgress,
  type BreachListRequest,
  type BuiltBreachList,
} from './passwords/breach-list/build-breach-list.js';
export { replaceSecretFile } from './files/secret-file.js';
export type { OutboxFilter } from './mail/outbox-filter.js';
export type { ReencryptedFactors } from './factors/factor-reencryption.js';
export type { FailedMails } from './mail/outbox-list-repository.js';
export type { OutboxMailView } from './mail/outbox-mail-schema.js';
export type { OutboxState } from './mail/outbox-mail.js';
export type { SmtpTestOutcome } from './mail/smtp-test.js';
export type {
  CleanupOrder,
  CleanupPlan,
  CleanupProgress,
  CleanupRequest,
  CleanupResult,
} from './maintenance/cleanup.js';
export type { RetentionKind } from './maintenance/retention.js';
export type { OwnedPasskeyView } from './passkeys/passkey-schema.js';
export type { PasswordSet } from './password-reset/password-administration.js';
export type { PasswordToSet } from './password-reset/password-reset-schema.js';
export type { ServiceClient } from './service-tokens/service-client.js';
export { ServiceClientFile } from './service-tokens/service-client-file.js';
export { checkedClient, entryOf, type ServiceClientEntry } from './service-tokens/service-client-list.js';
export { newServiceSecret } from './service-tokens/service-secret.js';
export type { SessionDetailsView } from './sessions/session-schema.js';
export { MigrationError, PendingMigrationsError, type MigrationStatus } from './storage/migrator.js';
export { parseFirebaseHashConfig, type FirebaseHashParameters } from './user-import/formats/firebase-hash.js';
export type { ExportOptions } from './user-export/user-exporter.js';
export type { ImportFormat } from './user-import/formats/source-entry.js';
export type { ImportReport } from './user-import/import-check.js';
export type { ImportProgress, ImportRequest } from './user-import/import-options.js';
export type { ImportFollower, ImportResult } from './user-import/user-importer.js';
export { canonicalEmail } from './users/email.js';
