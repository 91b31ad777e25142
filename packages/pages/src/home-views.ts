import type { Auth } from '@latchkey/core';
import type { FirstRun } from './first-run.js';
import type { HomeFacts } from './home-facts.js';
import { markup, type Markup } from './markup.js';
import {
  ACCOUNT_PATH,
  BOOTSTRAP_COMMAND,
  COMPANY_PATH,
  CONSOLE_PATH,
  LOGIN_PATH,
  REGISTER_PATH,
  RESET_PATH,
} from './page-paths.js';

/** The command that sends a test mail. */
const MAIL_TEST_COMMAND = 'npx latchkey mail test you@example.com';

/** The command that checks the machine, the settings and the services that Latchkey needs. */
const DOCTOR_COMMAND = 'npx latchkey doctor';

/** Something of the service that one can open. */
interface Place {
  name: string;
  path: string;
  text: string;
  /** How to turn it on; undefined if it is on. */
  missing?: string | undefined;
}

/** Returns the content of the page `/` in development. */
export const homeViews = (
  auth: Auth,
  facts: HomeFacts,
  { basePath, firstRun }: { basePath: string; firstRun: Pick<FirstRun, 'isLinked'> | undefined },
): Markup => {
  const { brand, environment, http } = auth.settings;
  return markup`
<h1>${brand.name} is running</h1>
<p class="lead">Version ${facts.version}, ${environment}, at <a href="${http.baseUrl}">${http.baseUrl}</a>. Only this machine can open this page.</p>
${firstRun ? firstRunSection(firstRun) : ''}
${section('For people', pagesOf(auth), basePath)}
${section('For developers', toolsOf(auth, facts), basePath)}
${productionSection(brand, facts)}
<section aria-labelledby="setup">
<h2 id="setup">Setup</h2>
<dl class="facts">
${facts.setup.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>
</section>`;
};

const firstRunSection = ({ isLinked }: Pick<FirstRun, 'isLinked'>): Markup => markup`
<section class="first-run" aria-labelledby="first-run">
<h2 id="first-run">Create the first administrator</h2>
<p>There is none yet, so no one can approve registrations or open the console. ${isLinked ? 'Open the link that the service printed when it started: the line begins with “Create the first administrator”. Or run' : 'Run'}, in another terminal and in the same folder:</p>
<pre><code>${BOOTSTRAP_COMMAND}</code></pre>
</section>`;

const pagesOf = ({ settings: { registration, companyPages, console: staffConsole } }: Auth): Place[] => [
  { name: 'Sign in', path: LOGIN_PATH, text: 'Password, passkey and second factor.' },
  {
    name: 'Create an account',
    path: REGISTER_PATH,
    text: 'Registration, by the rules of REGISTRATION_APPROVAL.',
    missing: registration.enabled ? undefined : 'Off. Set PUBLIC_REGISTRATION_ENABLED=true.',
  },
  {
    name: 'Account',
    path: ACCOUNT_PATH,
    text: 'Profile, ways to sign in, sessions and data of the signed-in user.',
  },
  {
    name: 'Console',
    path: CONSOLE_PATH,
    text: 'Users, sessions, audit log and mail, for platform staff.',
    missing: staffConsole.enabled ? undefined : 'Off. Set CONSOLE_ENABLED=true.',
  },
  {
    name: 'Company',
    path: COMPANY_PATH,
    text: 'Members, invitations, roles and activity of a company, for its administrators.',
    missing: companyPages.enabled ? undefined : 'Off. Set COMPANY_PAGES_ENABLED=true.',
  },
  { name: 'Reset a password', path: RESET_PATH, text: 'Mails a link that sets a new password.' },
];

const toolsOf = (auth: Auth, { docs, metrics }: HomeFacts): Place[] => [
  {
    name: 'API reference',
    path: '/docs',
    text: 'All operations, to read and to try.',
    missing: docs ? undefined : 'Off. Set API_DOCS_ENABLED=true.',
  },
  { name: 'OpenAPI document', path: '/openapi.json', text: 'The same for programs.' },
  {
    name: 'Mail inbox',
    path: '/dev/mail',
    text: 'Mails that were kept instead of sent.',
    missing: auth.inbox ? undefined : 'Off, because SMTP_URL is set.',
  },
  metricsPlace(metrics),
  { name: 'Health', path: '/health', text: 'The process is up.' },
  { name: 'Readiness', path: '/ready', text: 'Database and Redis respond.' },
  { name: 'Public keys', path: '/.well-known/jwks.json', text: 'The keys that verify access tokens.' },
];

/** On the main port, metrics require the internal key, which a browser does not send. */
function metricsPlace(metrics: string): Place {
  const name = 'Metrics';
  if (metrics === 'off') {
    return { name, path: '', text: '', missing: 'Off. Set METRICS_PORT, or AUTH_INTERNAL_API_KEY.' };
  }
  const hasPort = !new URL(metrics).host.startsWith('localhost:');
  return hasPort
    ? { name, path: metrics, text: 'For Prometheus.' }
    : { name, path: '', text: '', missing: `${metrics}, with the header X-Internal-API-Key.` };
}

const section = (title: string, places: readonly Place[], basePath: string): Markup => {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return markup`
<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<ul class="places">
${places.map((place) => placeItem(place, basePath))}
</ul>
</section>`;
};

const placeItem = ({ name, path, text, missing }: Place, basePath: string): Markup =>
  missing === undefined
    ? markup`<li><a href="${path.startsWith('/') ? basePath + path : path}">${name}</a><p>${text}</p></li>`
    : markup`<li class="missing"><strong>${name}</strong><p>${missing}</p></li>`;

/** The effect in production of a missing setting that has a substitute here. */
const WITHOUT: Record<string, string> = {
  SMTP_URL: 'without it, no mail is sent',
  FACTOR_ENCRYPTION_KEYS: 'without them, there are no second factors',
};

const productionSection = (
  { name }: Auth['settings']['brand'],
  { defaults, production }: HomeFacts,
): Markup => {
  const required = new Set(production.map((each) => each.name));
  const optional = defaults.filter((each) => !required.has(each));
  return markup`
<section aria-labelledby="production">
<h2 id="production">Before production</h2>
<p class="lead">${production.length === 0 ? 'Every setting that production requires is set.' : 'With APP_ENV=production, the service would not start until these are set:'}</p>
<dl class="facts">
${production.map((each) => markup`<div><dt>${each.name}</dt><dd>${each.fix}</dd></div>`)}
${optional.map((each) => markup`<div><dt>${each}</dt><dd>optional; ${WITHOUT[each] ?? 'production turns off what it is for'}</dd></div>`)}
<div><dt>BRAND_NAME</dt><dd>pages and mails say ${name}; BRAND_LOGO_URL and BRAND_ACCENT change how they look</dd></div>
<div><dt>Mail server</dt><dd>send a test mail: <code>${MAIL_TEST_COMMAND}</code></dd></div>
<div><dt>Everything else</dt><dd>check the machine and the settings: <code>${DOCTOR_COMMAND}</code></dd></div>
</dl>
</section>`;
};
