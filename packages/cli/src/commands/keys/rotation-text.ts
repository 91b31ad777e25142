import type { NextStep, RotatingKeyView, RotationStatus } from '@latchkey/core/keys';
import { relativeTime } from '../../runtime/relative-time.js';
import type { TableSpace } from '../../runtime/table.js';

type Paint = TableSpace['paint'];

/** Where a rotation stands, in lines for a person. */
export function rotationLines(status: RotationStatus, paint: Paint): string[] {
  return [
    `Keys in ${status.folder}:`,
    ...status.keys.flatMap((key) => keyLines(key, paint)),
    '',
    'The services read them by these settings, in every step the same:',
    ...settingLines(status),
    ...lifetimeLines(status),
    '',
    ...nextLines(status),
  ];
}

/** Said where it matters: what the settings are here need not be what they are at the service. */
function lifetimeLines({ keys, lifetimes }: RotationStatus): string[] {
  if (!keys.some(({ role }) => role === 'old')) return [];
  const { accessTokenTtl, serviceTokenTtl, sessionMaxLifetime, hasPepper } = lifetimes;
  return [
    '',
    'Times of old keys are counted with the settings here, in seconds:',
    `  ACCESS_TOKEN_TTL=${accessTokenTtl} SERVICE_TOKEN_TTL=${serviceTokenTtl} SESSION_MAX_LIFETIME=${sessionMaxLifetime}`,
    hasPepper
      ? '  REFRESH_TOKEN_PEPPER is set: sessions do not need old keys.'
      : '  REFRESH_TOKEN_PEPPER is unset: refresh tokens are derived from the key that signs.',
  ];
}

/** The settings and the files they are to name. */
export function settingLines({ settings, folder }: RotationStatus): string[] {
  const { JWT_SIGNING_KEY_PEM_FILE: signing, JWT_VERIFICATION_KEYS_PEM_FILE: verification } = settings;
  return [
    `  JWT_SIGNING_KEY_PEM_FILE=${signing}`,
    verification === null
      ? `  JWT_VERIFICATION_KEYS_PEM_FILE, once the first step has made its file in ${folder}`
      : `  JWT_VERIFICATION_KEYS_PEM_FILE=${verification}`,
  ];
}

/** What to do next, and why then. */
export function nextLines({ next, folder }: RotationStatus): string[] {
  return [
    `Next: ${NEXT[next.step]}`,
    `  latchkey keys rotate ${commandOf(next)} --dir ${folder}`,
    ...whenLines(next),
  ];
}

const commandOf = ({ step }: NextStep): string => (step === 'restart' ? 'restarted' : step);

/** Whether the time of the next step has come. */
export const isDue = ({ possibleAt }: NextStep): boolean =>
  possibleAt === null || Date.parse(possibleAt) <= Date.now();

const NEXT: Record<NextStep['step'], string> = {
  publish: 'when the key is to be replaced, publish the next one, so that every verifier learns it.',
  restart: 'restart every service with these settings, one after the other. When the last one runs, say so.',
  promote: 'let the next key sign. By then no verifier holds a key set without it.',
  retire: 'take the old key away. By then nothing needs it: no valid token, and no session of its time.',
};

const whenLines = (next: NextStep): string[] =>
  next.possibleAt === null || isDue(next)
    ? []
    : [`  possible ${relativeTime(next.possibleAt)} (${next.possibleAt})`];

const keyLines = (key: RotatingKeyView, paint: Paint): string[] => [
  `  ${key.role.padEnd(7)}  ${key.kid}`,
  ...factsOf(key).map((fact) => paint('dim', `           ${fact}`)),
];

function factsOf({ role, bits, madeAt, signsSince, ...times }: RotatingKeyView): string[] {
  const length = `${bits} bits`;
  if (role === 'signing')
    return [signsSince === null ? length : `${length}, began to sign ${relativeTime(signsSince)}`];
  if (role === 'next')
    return [`${length}, made ${relativeTime(madeAt)}`, `may sign: ${when(times.promotableAt)}`];
  return [
    length,
    `tokens need it until: ${when(times.tokensGoneAt)}`,
    `sessions need it until: ${when(times.retirableAt)}`,
  ];
}

const when = (time: string | null): string =>
  time === null ? 'counts from the restart on' : `${time} (${relativeTime(time)})`;
