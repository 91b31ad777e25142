import type { AccessPolicyMode } from '@latchkey/core';
import type { AccessReport, KeyCase, ModuleCase, ModuleReason } from '@latchkey/operations';

/** A module or permission that a user has or lacks, and the reason. */
export interface AccessLine {
  kind: 'module' | 'permission' | 'delegation' | 'grantable module' | 'grantable permission';
  key: string;
  verdict: 'yes' | 'no';
  reason: string;
  why: string;
}

type ModuleRule = ModuleCase['rules'][number];

/** Returns modules first, then permissions, then what the user may grant. */
export function accessLines(report: AccessReport): AccessLine[] {
  return [
    ...report.modules.map((found) => moduleLine(found, report)),
    ...report.permissions.map((found) => keyLine('permission', found, report)),
    ...report.delegation.map((found) => keyLine(DELEGATION_KINDS[found.kind], found, report)),
  ];
}

const DELEGATION_KINDS = {
  flag: 'delegation',
  module: 'grantable module',
  permission: 'grantable permission',
} as const;

const moduleLine = (found: ModuleCase, report: AccessReport): AccessLine => ({
  kind: 'module',
  key: found.moduleKey,
  verdict: verdictOf(found),
  reason: found.reason,
  why: moduleReasons(found, report).join('; '),
});

const keyLine = (kind: AccessLine['kind'], found: KeyCase, report: AccessReport): AccessLine => ({
  kind,
  key: found.key,
  verdict: verdictOf(found),
  reason: found.reason,
  why: KEY_REASONS[found.reason](report),
});

const verdictOf = ({ isEffective }: { isEffective: boolean }): 'yes' | 'no' => (isEffective ? 'yes' : 'no');

/** Returns the reasons, the deciding one first. */
function moduleReasons(found: ModuleCase, report: AccessReport): string[] {
  const { accessPolicyMode: mode } = report.access.metadata;
  return [
    found.isEntitled ? 'the company is entitled' : 'the company is not entitled',
    ...decidingReason(found.reason, found, report),
    ...contraryEvidence(found, mode),
    ...(found.enforcedReason === undefined || !found.isEntitled
      ? []
      : [enforcedText(found.enforcedReason, found, report)]),
  ];
}

function decidingReason(reason: ModuleReason, found: ModuleCase, report: AccessReport): string[] {
  const { role, globalRole, accessPolicyMode: mode } = report.access.metadata;
  switch (reason) {
    case 'not_entitled':
      return [];
    case 'platform_role':
      return [`${globalRole} holds every entitled module`];
    case 'company_role':
      return [`role ${role ?? ''} holds every entitled module`];
    case 'no_restriction':
      return ['the grant list is empty, so every module is allowed'];
    case 'granted':
      return [grantText(found, report)];
    case 'not_granted':
      return [ungrantedText(mode, report)];
    case 'denied':
      return [rulesText(found.rules, 'DENY')];
  }
}

/** Returns the grants that decide: those of the member, and that of the role. */
function grantText(found: ModuleCase, report: AccessReport): string {
  const isEnforced = report.access.metadata.accessPolicyMode === 'ENFORCED';
  const ofList = found.isGranted ? 'the grant list names it' : '';
  const own = isEnforced ? rulesText(found.rules, 'GRANT') : ofList;
  const ofRole = found.isOfRole ? `${roleText(report)} has it` : '';
  return [own, ofRole].filter((text) => text !== '').join(', and ');
}

function ungrantedText(mode: AccessPolicyMode, report: AccessReport): string {
  const { roleName } = report.access.metadata;
  if (mode === 'ENFORCED')
    return roleName === undefined
      ? 'no rule grants it'
      : `neither a rule nor the ${roleText(report)} grants it`;
  if (roleName !== undefined && report.grantCount === 0) return `the ${roleText(report)} does not have it`;
  return (
    notListed(report.grantCount) +
    (roleName === undefined ? '' : `, and the ${roleText(report)} does not have it`)
  );
}

/** Returns `role Accountant (ACCOUNTANT)`. */
export function roleText({ access: { metadata } }: AccessReport): string {
  const key = metadata.role ?? '';
  return metadata.roleName === undefined ? `role ${key}` : `role ${metadata.roleName} (${key})`;
}

const notListed = (count: number): string =>
  count === 1 ? 'the grant list names only another module' : `the grant list names only ${count} others`;

/** Returns grants and rules that contradict the verdict and have no effect. */
function contraryEvidence(found: ModuleCase, mode: AccessPolicyMode): string[] {
  const { isEffective, isGranted, reason, rules } = found;
  const contrary = rules.filter(({ effect }) => effect === (isEffective ? 'DENY' : 'GRANT'));
  const because = reason === 'not_entitled' ? '' : ` under ${mode}`;
  const isListed = isGranted && !isEffective;
  return [
    ...(isListed ? [`the grant list names it, which has no effect${because}`] : []),
    // Under SHADOW the verdict of ENFORCED follows, and names them.
    ...(found.enforcedReason === undefined || reason === 'not_entitled' ? contrary : []).map(
      (rule) => `${ruleText(rule)} has no effect${WHY_IDLE[reason] ?? because}`,
    ),
  ];
}

const WHY_IDLE: Partial<Record<ModuleReason, string>> = {
  company_role: ' for administrators',
  denied: ' against a DENY',
};

/** Returns the verdict that ENFORCED would give, for SHADOW. */
function enforcedText(reason: ModuleReason, found: ModuleCase, report: AccessReport): string {
  const metadata = { ...report.access.metadata, accessPolicyMode: 'ENFORCED' as const };
  const [why = ''] = decidingReason(reason, found, {
    ...report,
    access: { ...report.access, metadata },
  });
  return `ENFORCED would say ${HELD_BY.has(reason) ? 'yes' : 'no'}: ${why}`;
}

const HELD_BY = new Set<ModuleReason>(['platform_role', 'company_role', 'no_restriction', 'granted']);

const rulesText = (rules: readonly ModuleRule[], wanted: ModuleRule['effect']): string =>
  rules
    .filter(({ effect }) => effect === wanted)
    .map(ruleText)
    .join(' and ');

/** Returns `GRANT of the member` or `DENY of team 01981f3e-…`. */
function ruleText({ effect, source, teamId }: ModuleRule): string {
  if (source === 'MEMBER') return `${effect} of the member`;
  return teamId === undefined ? `${effect} of a team` : `${effect} of team ${teamId}`;
}

const KEY_REASONS: Record<KeyCase['reason'], (report: AccessReport) => string> = {
  company_role: ({ access }) => `role ${access.metadata.role ?? ''} has it`,
  granted: () => 'granted to the membership',
  granted_by_role: (report) => `${roleText(report)} has it`,
  not_granted: () => 'not granted to the membership',
  not_entitled: () => 'granted to the membership; the company is not entitled',
  no_membership: ({ access }) => `${access.metadata.globalRole} without a membership has none`,
};
