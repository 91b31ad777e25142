import type { Auth } from '@latchkey/core';

/** One thing to try: what it does, and the line for a shell. */
interface Step {
  does: string;
  line: string;
}

/** Where a service for development can be met, and how it is tried. */
export interface DevelopmentGuide {
  url: string;
  docs: string;
  pages: string;
  /** Undefined when mail leaves by SMTP. */
  mail: string | undefined;
  steps: Step[];
}

interface Place {
  /** Where it listens. */
  port: number;
  /** The `DATA_DIR` that commands must be given to find its database; undefined when they find it. */
  folder: string | undefined;
}

const EMAIL = 'ann@example.com';
const PASSWORD = 'a long walk home';

/** Addresses that mean every interface, and names of this machine. */
const HERE = new Set(['0.0.0.0', '::', '127.0.0.1', '::1', 'localhost']);

export function guideOf(
  { settings, facts }: Pick<Auth, 'settings' | 'facts'>,
  place: Place,
): DevelopmentGuide {
  const { host } = settings.http;
  const url = `http://${HERE.has(host) ? 'localhost' : host}:${place.port}`;
  return {
    url,
    docs: `${url}/docs`,
    pages: `${url}/login`,
    mail: facts.mailTransport === 'inbox' ? `${url}/dev/mail` : undefined,
    steps: [...(settings.registration.enabled ? toRegister(url, place) : toBeCreated(place)), ...toUse(url)],
  };
}

export function guideText({ url, docs, pages, mail, steps }: DevelopmentGuide): string {
  return [
    '',
    `  service    ${url}   (Ctrl-C stops it)`,
    `  reference  ${docs}`,
    `  pages      ${pages}`,
    `  mail       ${mail ?? 'sent by SMTP_URL'}`,
    '',
    '  To try it, in another terminal and in this folder:',
    '',
    ...steps.flatMap(({ does, line }) => [`  # ${does}`, `  ${line}`]),
    '',
  ].join('\n');
}

const toRegister = (url: string, place: Place): Step[] => [
  {
    does: 'register: Ann gets an account and waits for approval',
    line: post(`${url}/auth/register`, { email: EMAIL, password: PASSWORD, fullName: 'Ann Example' }),
  },
  { does: 'approve her', line: `${latchkey(place)} users approve ${EMAIL}` },
];

/** Where registration is off. */
const toBeCreated = (place: Place): Step[] => [
  {
    does: 'make an account for Ann',
    line: `echo '${PASSWORD}' | ${latchkey(place)} users create --email ${EMAIL} --password-stdin`,
  },
];

const toUse = (url: string): Step[] => [
  {
    does: 'sign in, and keep the tokens',
    line: `TOKENS=$(${post(`${url}/auth/login`, { email: EMAIL, password: PASSWORD })})`,
  },
  {
    does: 'a helper that picks one of them out',
    line: `token() { node -pe "JSON.parse(process.argv[1]).data.$1" "$TOKENS"; }`,
  },
  {
    does: 'ask who you are',
    line: `curl -sw '\\n' ${url}/auth/me -H "Authorization: Bearer $(token accessToken)"`,
  },
  {
    does: 'refresh: the next pair of tokens; the old refresh token is spent',
    line: `TOKENS=$(curl -s ${url}/auth/refresh ${JSON_TYPE} -d "{\\"refreshToken\\":\\"$(token refreshToken)\\"}")`,
  },
];

const JSON_TYPE = `-H 'Content-Type: application/json'`;

const post = (url: string, body: object): string =>
  `curl -sw '\\n' ${url} ${JSON_TYPE} -d '${JSON.stringify(body)}'`;

const latchkey = ({ folder }: Place): string =>
  folder === undefined ? 'npx latchkey' : `DATA_DIR='${folder}' npx latchkey`;
