import {
  claimOfMember,
  judgeModule,
  type ModuleReason,
} from '../../../packages/core/src/access/effective-modules.js';
import type { AccessPolicyMode } from '../../../packages/core/src/access/entitlements.js';
import type { GeneratedDocument } from './generated-document.js';

/** The example of docs/access.md, "The modes, by example". */
const ENTITLED = ['invoices', 'payroll', 'reports'];
const MODULES = [...ENTITLED, 'archive'];
const MODES: AccessPolicyMode[] = ['LEGACY', 'SHADOW', 'ENFORCED'];
const MODULE_GRANTS = ['invoices', 'archive'];
const RULES = [
  { moduleKey: 'invoices', effect: 'GRANT' },
  { moduleKey: 'archive', effect: 'GRANT' },
  { moduleKey: 'reports', effect: 'GRANT' },
  { moduleKey: 'invoices', effect: 'DENY' },
] as const;

interface Person {
  name: string;
  role: string;
  moduleGrants: string[];
  rules: readonly { moduleKey: string; effect: 'GRANT' | 'DENY' }[];
  isPlatform?: boolean;
}

const PEOPLE: Person[] = [
  { name: 'the member of the example', role: 'MEMBER', moduleGrants: MODULE_GRANTS, rules: RULES },
  { name: 'a member with nothing', role: 'MEMBER', moduleGrants: [], rules: [] },
  { name: 'an ADMIN with the same as the member', role: 'ADMIN', moduleGrants: MODULE_GRANTS, rules: RULES },
  { name: 'a platform admin, no member', role: '', moduleGrants: [], rules: [], isPlatform: true },
];

const WHY: Record<ModuleReason, string> = {
  not_entitled: 'not entitled',
  platform_role: 'platform role',
  company_role: 'company role',
  no_restriction: 'no restriction',
  granted: 'granted',
  not_granted: 'not granted',
  denied: 'denied',
};

interface Colours {
  text: string;
  quiet: string;
  line: string;
  isIn: string;
  inText: string;
  isOut: string;
  capped: string;
}

const LIGHT: Colours = {
  text: '#1f2328',
  quiet: '#59636e',
  line: '#d1d9e0',
  isIn: '#1a7f37',
  inText: '#ffffff',
  isOut: '#ffffff',
  capped: '#eff2f5',
};
const DARK: Colours = {
  text: '#f0f6fc',
  quiet: '#9198a1',
  line: '#3d444d',
  isIn: '#238636',
  inText: '#ffffff',
  isOut: '#0d1117',
  capped: '#262c36',
};

const LEFT = 12;
const TOP = 64;
const WIDTH = 960;
const MODE_WIDTH = 304;
const GAP = 12;
const CELL = MODE_WIDTH / MODULES.length;
const CELL_HEIGHT = 30;
const PERSON_HEIGHT = 66;
const HEIGHT = TOP + PEOPLE.length * PERSON_HEIGHT + 34;

export const accessPictures: GeneratedDocument[] = [
  { path: 'docs/images/access-light.svg', render: () => picture(LIGHT) },
  { path: 'docs/images/access-dark.svg', render: () => picture(DARK) },
];

/** Draws who gets which module in each mode, as the rules themselves decide it. */
function picture(colours: Colours): string {
  const parts = [
    ...MODES.flatMap((mode, column) => modeHead(mode, column, colours)),
    ...PEOPLE.flatMap((person, row) => personRow(person, row, colours)),
    legend(colours),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title" font-family="-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="12">`,
    '<title id="title">Which modules four people may use under LEGACY, SHADOW and ENFORCED</title>',
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

const columnAt = (column: number): number => LEFT + column * (MODE_WIDTH + GAP);

function modeHead(mode: AccessPolicyMode, column: number, colours: Colours): string[] {
  const decides = mode === 'ENFORCED' ? 'rules decide' : 'the grant list decides';
  const x = columnAt(column);
  return [
    text(x, 20, mode, `fill="${colours.text}" font-size="15" font-weight="600"`),
    text(x + MODE_WIDTH, 20, decides, `fill="${colours.quiet}" text-anchor="end"`),
    `<line x1="${x}" y1="30" x2="${x + MODE_WIDTH}" y2="30" stroke="${colours.line}"/>`,
    ...MODULES.map((key, at) =>
      text(x + (at + 0.5) * CELL, 48, key, `fill="${colours.quiet}" text-anchor="middle"`),
    ),
  ];
}

function personRow(person: Person, row: number, colours: Colours): string[] {
  const y = TOP + row * PERSON_HEIGHT;
  return [
    text(LEFT, y + 12, person.name, `fill="${colours.text}" font-weight="600"`),
    text(LEFT + MODE_WIDTH + GAP, y + 12, holdings(person), `fill="${colours.quiet}"`),
    ...MODES.flatMap((mode, column) =>
      MODULES.flatMap((key, at) =>
        cell(reasonFor(person, mode, key), { x: columnAt(column) + at * CELL, y: y + 19 }, colours),
      ),
    ),
  ];
}

/** The grants of a user, of the three kinds that the modes look at. */
function holdings({ moduleGrants, rules, isPlatform }: Person): string {
  if (isPlatform) return 'neither list nor rules';
  const keysWith = (wanted: 'GRANT' | 'DENY') =>
    rules.filter(({ effect }) => effect === wanted).map(({ moduleKey }) => moduleKey);
  const listed = (keys: readonly string[]) => (keys.length === 0 ? 'none' : keys.join(', '));
  return `list: ${listed(moduleGrants)} · GRANT: ${listed(keysWith('GRANT'))} · DENY: ${listed(keysWith('DENY'))}`;
}

function reasonFor(person: Person, accessPolicyMode: AccessPolicyMode, key: string): ModuleReason {
  const claim = person.isPlatform
    ? ({ kind: 'platform' } as const)
    : claimOfMember({ ...person, isActive: true }, person.rules);
  return judgeModule(key, claim, { modules: new Set(ENTITLED), accessPolicyMode }).reason;
}

const GIVES = new Set<ModuleReason>(['platform_role', 'company_role', 'no_restriction', 'granted']);

function cell(reason: ModuleReason, at: { x: number; y: number }, colours: Colours): string[] {
  const isIn = GIVES.has(reason);
  const fill = isIn ? colours.isIn : reason === 'not_entitled' ? colours.capped : colours.isOut;
  const box = `x="${at.x + 1}" y="${at.y}" width="${CELL - 2}" height="${CELL_HEIGHT}" rx="4"`;
  return [
    `<rect ${box} fill="${fill}" stroke="${isIn ? colours.isIn : colours.line}"/>`,
    text(
      at.x + CELL / 2,
      at.y + 19,
      WHY[reason],
      `fill="${isIn ? colours.inText : colours.quiet}" text-anchor="middle" font-size="10"`,
    ),
  ];
}

const legend = (colours: Colours): string =>
  text(
    LEFT,
    HEIGHT - 12,
    'The company is entitled to invoices, payroll and reports. Filled: in. The word says why.',
    `fill="${colours.quiet}"`,
  );

const text = (x: number, y: number, content: string, attributes: string): string =>
  `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;
