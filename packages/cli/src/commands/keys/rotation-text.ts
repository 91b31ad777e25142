import type { NextStep, RotatingKeyView, RotationStatus } from '@latchkey/operations/keys';
import { relativeTime } from '../../runtime/relative-time.js';
import type { TableSpace } from '../../runtime/table.js';

/** Returns the status of a rotation, in lines for a person. */
export function rotationLines(status: RotationStatus, paint: TableSpace['paint']): string[] {
  return [
    `Keys in ${status.folder}:`,
    ...status.keys.flatMap((key) => keyLines(key, paint)),
    '',
    'Settings of the services, the same in every step:',
    ...settingLines(status),
    ...lifetimeLines(status),
    '',
    ...nextLines(status),
  ];
}

/** Returns the lifetimes of the settings here, which may differ from those of the service. */
function lifetimeLines({ keys, lifetimes }: RotationStatus): string[] {
  if (!keys.some(({ role }) => role === 'old')) return [];
  const { accessTokenTtl, serviceTokenTtl, sessionMaxLifetime, hasPepper } = lifetimes;
  return [
    '',
    'Times of old keys use these settings, in seconds:',
    `  ACCESS_TOKEN_TTL=${accessTokenTtl} SERVICE_TOKEN_TTL=${serviceTokenTtl} SESSION_MAX_LIFETIME=${sessionMaxLifetime}`,
    hasPepper
      ? '  REFRESH_TOKEN_PEPPER is set: sessions do not need old keys.'
      : '  REFRESH_TOKEN_PEPPER is not set: refresh tokens are derived from the signing key.',
  ];
}

/** Returns the settings and their files. */
export function settingLines({ settings, folder }: RotationStatus): string[] {
  const { JWT_SIGNING_KEY_PEM_FILE: signing, JWT_VERIFICATION_KEYS_PEM_FILE: verification } = settings;
  return [
    `  JWT_SIGNING_KEY_PEM_FILE=${signing}`,
    verification === null
      ? `  JWT_VERIFICATION_KEYS_PEM_FILE, once the first step has created its file in ${folder}`
      : `  JWT_VERIFICATION_KEYS_PEM_FILE=${verification}`,
  ];
}

/** Returns the next step, and the time from which it is possible. */
export function nextLines({ next, folder }: RotationStatus): string[] {
  return [
    `Next: ${NEXT[next.step]}`,
    `  latchkey keys rotate ${commandOf(next)} --dir ${folder}`,
    ...whenLines(next),
  ];
}

const commandOf = ({ step }: NextStep): string => (step === 'restart' ? 'restarted' : step);

/** Returns true if the next step is possible now. */
export const isDue = ({ possibleAt }: NextStep): boolean =>
  possibleAt === null || Date.parse(possibleAt) <= Date.now();

const NEXT: Record<NextStep['step'], string> = {
  publish: 'to replace the key, publish the next one, so that every verifier loads it.',
  restart: 'restart every service with these settings, one after the other. Then confirm it.',
  promote: 'sign with the next key. By then every verifier has loaded it.',
  retire: 'delete the old key. By then no valid token and no session needs it.',
};

const whenLines = (next: NextStep): string[] =>
  next.possibleAt === null || isDue(next)
    ? []
    : [`  possible ${relativeTime(next.possibleAt)} (${next.possibleAt})`];

const keyLines = (key: RotatingKeyView, paint: TableSpace['paint']): string[] => [
  `  ${key.role.padEnd(7)}  ${key.kid}`,
  ...factsOf(key).map((fact) => paint('dim', `           ${fact}`)),
];

function factsOf({ role, bits, madeAt, signsSince, ...times }: RotatingKeyView): string[] {
  const length = `${bits} bits`;
  if (role === 'signing')
    return [signsSince === null ? length : `${length}, signing since ${relativeTime(signsSince)}`];
  if (role === 'next')
    return [`${length}, created ${relativeTime(madeAt)}`, `may sign: ${when(times.promotableAt)}`];
  return [
    length,
    `tokens need it until: ${when(times.tokensGoneAt)}`,
    `sessions need it until: ${when(times.retirableAt)}`,
  ];
}

const when = (time: string | null): string =>
  time === null ? 'counted from the restart' : `${time} (${relativeTime(time)})`;
