import type { ImportRecord } from './import-record.js';

type ImportedMembership = ImportRecord['memberships'][number];

/** A record without the rights that an import may not give, and what that leaves out. */
interface RecordWithoutRights {
  readonly record: ImportRecord;
  readonly notes: readonly string[];
}

/** The values of an ordinary member. */
const ORDINARY_UNIT = { financeRole: null, approvalLimit: null, isPrimaryApprover: false };
const ORDINARY_MEMBER = {
  role: 'MEMBER',
  approvalLimit: null,
  financeRole: null,
  isPrimaryFinanceAdmin: false,
  moduleGrants: [],
  permissionGrants: [],
  delegation: undefined,
};

export const MEMBERSHIPS_LEFT_OUT =
  'memberships: were left out, since the user exists and roles are not allowed by this import';

/**
 * Returns the record with no role on the platform and with memberships of an ordinary member. A list of module grants also limits:
 * without it, a member may have every module of the company. Such a membership is therefore inactive.
 */
export function withoutRights(record: ImportRecord): RecordWithoutRights {
  const memberships = record.memberships.map(ordinaryMembership);
  const fields = [
    ...(record.globalRole === 'NONE' ? [] : ['globalRole']),
    ...changedFields(record.memberships, memberships, 'memberships'),
    ...record.memberships.flatMap(({ businessUnits }, index) =>
      changedFields(businessUnits, memberships[index]?.businessUnits ?? [], 'memberships.businessUnits'),
    ),
  ];
  const inactive = record.memberships.filter(
    ({ isActive }, index) => isActive && !memberships[index]?.isActive,
  );
  const notes = [
    ...[...new Set(fields)].map(
      (field) => `${field}: was left out, since roles are not allowed by this import`,
    ),
    ...inactive.map(
      ({ companyId }) =>
        `memberships: the one of company ${companyId} is inactive, since without its module grants it would not be limited to them`,
    ),
  ];
  return { record: { ...record, globalRole: 'NONE', memberships }, notes };
}

function ordinaryMembership(membership: ImportedMembership): ImportedMembership {
  return {
    ...membership,
    ...ORDINARY_MEMBER,
    isActive: membership.isActive && membership.moduleGrants.length === 0,
    moduleRules: membership.moduleRules.filter(({ effect }) => effect === 'DENY'),
    businessUnits: membership.businessUnits.map((unit): ImportedMembership['businessUnits'][number] => ({
      ...unit,
      ...ORDINARY_UNIT,
    })),
  };
}

/** Returns the names of the fields in which rights differ, each with its path. */
function changedFields<Item extends object>(
  before: readonly Item[],
  after: readonly Item[],
  path: string,
): string[] {
  return before.flatMap((item, index) =>
    Object.entries(item)
      .filter(([name]) => RIGHTS.has(name))
      .filter(([name, value]) => {
        const left: unknown = after[index]?.[name as keyof Item];
        return JSON.stringify(value) !== JSON.stringify(left);
      })
      .map(([name]) => `${path}.${name}`),
  );
}

const RIGHTS: ReadonlySet<string> = new Set([
  ...Object.keys(ORDINARY_MEMBER),
  ...Object.keys(ORDINARY_UNIT),
  'moduleRules',
]);
