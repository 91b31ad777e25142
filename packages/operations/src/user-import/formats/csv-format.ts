import { mapProfile } from '@latchkey/core/internal/users/profile-fields';
import type { ImportRecordInput } from '../import-record.js';
import type { SourceFormat } from './source-format.js';
import { flagOf, type SourceObject } from './source-object.js';
import { timeOf } from './source-time.js';

/** The columns with the name of a field of `importRecord`, and what their cells are. */
const FIELDS = {
  id: 'text',
  email: 'text',
  isEmailVerified: 'flag',
  emailVerifiedAt: 'time',
  fullName: 'text',
  ...mapProfile(() => 'text' as const),
  authProvider: 'text',
  globalRole: 'text',
  approvalStatus: 'text',
  isActive: 'flag',
  passwordHash: 'text',
  passwordChangedAt: 'time',
  lastLoginAt: 'time',
  createdAt: 'time',
  updatedAt: 'time',
} as const satisfies Partial<Record<keyof ImportRecordInput, 'text' | 'flag' | 'time'>>;

/** Other names of fields. */
const ALIASES = new Map([['emailVerified', 'isEmailVerified']]);

/** `companyId` and `role` of the first membership, `companyId.2` and `role.2` of the second, up to 99. */
const MEMBERSHIP = /^(companyId|role)(?:\.([1-9]\d?))?$/;
const LEGACY_ID = /^legacy\.(.+)$/;

type Cell = (record: Draft, text: string) => void;

interface Draft {
  fields: Record<string, unknown>;
  legacyIds: Record<string, string>;
  memberships: Map<number, Record<string, string>>;
}

const NAMES = [...Object.keys(FIELDS), 'legacy.<system>', 'companyId', 'role'];

/** A table with a row for each user, whose columns are named like the fields of a record. */
export const csvFormat: SourceFormat = {
  layouts: ['csv'],
  csv: { required: ['email'], names: NAMES, isKnown: (column) => cellOf(column) !== undefined },
  mapUser: mapRow,
};

function mapRow(row: SourceObject): ReturnType<SourceFormat['mapUser']> {
  const draft: Draft = { fields: {}, legacyIds: {}, memberships: new Map() };
  for (const [column, text] of Object.entries(row)) {
    if (typeof text === 'string' && text.trim() !== '') cellOf(column)?.(draft, text.trim());
  }
  const { fields, legacyIds, memberships } = draft;
  if (Object.keys(legacyIds).length > 0) fields.legacyIds = legacyIds;
  if (memberships.size > 0) fields.memberships = inOrder(memberships);
  return { record: fields as unknown as ImportRecordInput, notes: [] };
}

const inOrder = (memberships: ReadonlyMap<number, Record<string, string>>) =>
  [...memberships].toSorted(([one], [other]) => one - other).map(([, membership]) => membership);

const known = new Map<string, Cell>();

/** Returns what a cell of the column does; undefined for an unknown column. The first call for a column decides. */
function cellOf(column: string): Cell | undefined {
  const found = known.get(column) ?? newCell(column);
  if (found && known.size < MAX_REMEMBERED) known.set(column, found);
  return found;
}

const MAX_REMEMBERED = 500;

function newCell(column: string): Cell | undefined {
  const field = ALIASES.get(column) ?? column;
  if (Object.hasOwn(FIELDS, field)) return fieldCell(field as keyof typeof FIELDS);
  const system = LEGACY_ID.exec(column)?.[1];
  if (system !== undefined) return ({ legacyIds }, text) => void (legacyIds[system] = text);
  const [, part, number = '1'] = MEMBERSHIP.exec(column) ?? [];
  return part === undefined ? undefined : membershipCell(part, Number(number));
}

/** A text that is not of its kind stays as it is, so that the check of the record names it. */
function fieldCell(field: keyof typeof FIELDS): Cell {
  const kind = FIELDS[field];
  if (kind === 'flag') return ({ fields }, text) => void (fields[field] = flagOf(text) ?? text);
  if (kind === 'time') return ({ fields }, text) => void (fields[field] = timeOf(text) ?? text);
  return ({ fields }, text) => void (fields[field] = text);
}

const membershipCell =
  (part: string, number: number): Cell =>
  ({ memberships }, text) => {
    const membership = memberships.get(number) ?? {};
    membership[part] = text;
    memberships.set(number, membership);
  };
