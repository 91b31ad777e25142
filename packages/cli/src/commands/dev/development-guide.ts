import type { Auth } from '@latchkey/core';

/** One step to try: its purpose, and the line for a shell. */
interface Step {
  does: string;
  line: string;
}

/** The addresses of a development service, and the steps to try it. */
interface DevelopmentGuide {
  url: string;
  docs: string;
  pages: string;
  /** Undefined if mail is sent by SMTP. */
  mail: string | undefined;
  steps: Step[];
}

interface Place {
  /** The address it listens on. */
  port: number;
  /** The `DATA_DIR` that commands need to find its database; undefined if they find it. */
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

/** Returns the step if registration is closed. */
const toBeCreated = (place: Place): Step[] => [
  {
    does: 'create an account for Ann',
    line: `echo '${PASSWORD}' | ${latchkey(place)} users create --email ${EMAIL} --password-stdin`,
  },
];

const toUse = (url: string): Step[] => [
  {
    does: 'sign in, and keep the tokens',
    line: `TOKENS=$(${post(`${url}/auth/login`, { email: EMAIL, password: PASSWORD })})`,
  },
  {
    does: 'a helper that selects one of them',
    line: `token() { node -pe "JSON.parse(process.argv[1]).data.$1" "$TOKENS"; }`,
  },
  {
    does: 'show the signed-in user',
    line: `curl -sw '\\n' ${url}/auth/me -H "Authorization: Bearer $(token accessToken)"`,
  },
  {
    does: 'refresh: get the next pair of tokens; the old refresh token is used up',
    line: `TOKENS=$(curl -s ${url}/auth/refresh ${JSON_TYPE} -d "{\\"refreshToken\\":\\"$(token refreshToken)\\"}")`,
  },
];

const JSON_TYPE = `-H 'Content-Type: application/json'`;

const post = (url: string, body: object): string =>
  `curl -sw '\\n' ${url} ${JSON_TYPE} -d '${JSON.stringify(body)}'`;

const latchkey = ({ folder }: Place): string =>
  folder === undefined ? 'npx latchkey' : `DATA_DIR='${folder}' npx latchkey`;
