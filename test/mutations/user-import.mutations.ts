import type { Mutation } from './mutation.js';

const RIGHTS =
  'An imported file gives no role on the platform, no membership to a user who exists, and no rights in a company unless roles are allowed.';

export const userImportMutations: readonly Mutation[] = [
  {
    promise: RIGHTS,
    defect: 'an import gives the role on the platform that the file has',
    file: 'packages/operations/src/user-import/import-rights.ts',
    from: "record: { ...record, globalRole: 'NONE', memberships }",
    to: 'record: { ...record, memberships }',
  },
  {
    promise: RIGHTS,
    defect: 'a new user gets the rights in a company that the file has',
    file: 'packages/operations/src/user-import/import-rights.ts',
    from: 'const memberships = record.memberships.map(ordinaryMembership);',
    to: 'const memberships = record.memberships.map((each) => each.companyId === "" ? ordinaryMembership(each) : each);',
  },
  {
    promise: RIGHTS,
    defect: 'an import adds a user who exists to a company',
    file: 'packages/operations/src/user-import/import-batch-writer.ts',
    from: '(allowRoles ? user : withoutMemberships(user))',
    to: "(allowRoles || user.id !== '' ? user : withoutMemberships(user))",
  },
  {
    promise: 'Every membership that an import writes has its row in the audit log.',
    defect: 'memberships of an import are not recorded',
    file: 'packages/operations/src/user-import/running-import.ts',
    from: 'insertImported(membershipEvents(written.memberships, cause), trx)',
    to: 'insertImported(membershipEvents(written.memberships, cause).slice(1), trx)',
  },
  {
    promise:
      'An imported account at another service is a subject there, never an address, of a connection of this service, and is taken from no other user.',
    defect: 'an import takes an address as a subject',
    file: 'packages/operations/src/user-import/import-record.ts',
    from: '.regex(/^[^@]*$/,',
    to: '.regex(/^[^]*$/,',
  },
  {
    promise: 'An import never changes how an existing user signs in, or what they may do on the platform.',
    defect: 'existing users get the authenticator apps of the file',
    file: 'packages/operations/src/user-import/import-batch-writer.ts',
    from: 'const withNotes = created.map(',
    to: 'const withNotes = [...created, ...updated].map(',
  },
  {
    promise:
      'A second factor of an imported user is not dropped: the user is rejected where it cannot be stored.',
    defect: 'a user is imported without their authenticator app',
    file: 'packages/operations/src/user-import/import-check.ts',
    from: 'if (record.totp.length > 0 && !storesSecrets) return rejected(position, SECRETS_NEED_KEY);',
    to: 'if (record.totp.length > 0 && !storesSecrets) record.totp = [];',
  },
  {
    promise: 'An address that its former owner may take back is not given to an imported user.',
    defect: 'reserved addresses are not looked for again',
    file: 'packages/operations/src/user-import/import-batch-writer.ts',
    from: 'if ((await this.#reserved(inserted, trx)).size > 0) throw new ReservedMeanwhileError();',
    to: 'if (inserted.length < 0) throw new ReservedMeanwhileError();',
  },
  {
    promise: 'An import that is interrupted leaves no user out and makes none twice.',
    defect: 'a process continues where another one is',
    file: 'packages/operations/src/user-import/import-run-repository.ts',
    from: 'WHERE id = $1 AND position = $2 AND finished_at IS NULL FOR UPDATE',
    to: 'WHERE id = $1 AND position <> $2 AND finished_at IS NULL FOR UPDATE',
  },
  {
    promise:
      'An export without hashes contains nothing that signs a user in, and every export is in the audit log.',
    defect: 'recovery codes are part of every export',
    file: 'packages/operations/src/user-export/export-queries.ts',
    from: '${withSecrets(`json_strip_nulls(${RECOVERY_CODES})`)} AS "recoveryCodes"',
    to: 'json_strip_nulls(${RECOVERY_CODES}) AS "recoveryCodes"',
  },
];
