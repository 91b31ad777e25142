import { actForMessages as messages, userActionMessages } from '../../messages/en/console/users.js';
import { appData } from '../app-data.js';
import { client } from '../client.js';
import { pageData } from '../page-data.js';
import { nameOf, numberText } from './format.js';
import { showLink, type DialogField, type Question } from './overlay-store.js';
import { confirmed } from './perform.js';
import type { User } from './types.js';

/** The times that can be chosen, in minutes; those above the limit of the service are left out. */
const MINUTES = [15, 30, 60, 120, 240, 480];
/** The companies of one user that are offered at most. */
const MOST_COMPANIES = 100;

/** A code that was made, and the company of the app that it is for; empty for the pages of the service. */
interface MadeCode {
  code: string;
  expiresIn: number;
  companyId: string;
}

/**
 * Asks why and for how long to act for a user, and offers the link that opens a tab in which the member of staff does.
 * @returns whether the code was made.
 */
export async function actFor(user: User): Promise<boolean> {
  const apps = await appsOf(user);
  const made: { code?: MadeCode } = {};
  const isDone = await confirmed(
    questionAbout(user, apps),
    async ({ reason = '', minutes, companyId = '' }) => {
      const body = { reason, minutes: Number(minutes), ...(companyId !== '' && { companyId }) };
      const path = { id: user.id };
      const outcome = await client.request('POST', '/internal/users/{id}/acting-codes', { path, body });
      if (outcome.ok) made.code = { ...outcome.data, companyId };
      return outcome;
    },
    messages.made,
  );
  if (made.code) await offerTab(user, made.code);
  return isDone;
}

const questionAbout = (user: User, apps: readonly DialogOption[]): Question => ({
  title: messages.title(nameOf(user)),
  text: messages.text,
  confirm: messages.confirm,
  fields: [
    { name: 'reason', label: userActionMessages.reason, hint: messages.reasonHint, maxLength: 500 },
    minutesField(),
    ...(apps.length === 0 ? [] : [placeField(apps)]),
  ],
});

const offerTab = (user: User, { code, expiresIn, companyId }: MadeCode): Promise<void> =>
  showLink({
    title: messages.readyTitle(nameOf(user)),
    text: messages.readyText,
    href: hrefOf(code, companyId),
    label: companyId === '' ? messages.openAccount : messages.openApp,
    seconds: expiresIn,
  });

/** Returns the address that redeems the code. It is in the fragment, which browsers send to no server. */
function hrefOf(code: string, companyId: string): string {
  const isForApp = companyId !== '' && pageData.webApp !== undefined;
  const address = new URL(isForApp ? (pageData.webApp ?? '') : `${pageData.base}/account`, location.href);
  address.hash = new URLSearchParams({ [isForApp ? 'handoff' : 'acting']: code }).toString();
  return address.href;
}

function minutesField(): DialogField {
  const most = appData.actingMinutes;
  const choices = [...MINUTES.filter((minutes) => minutes < most), most];
  return {
    name: 'minutes',
    label: messages.minutes,
    value: String(choices.includes(60) ? 60 : most),
    options: choices.map((minutes) => ({
      value: String(minutes),
      label: messages.minutesText(numberText(minutes)),
    })),
  };
}

const placeField = (apps: readonly DialogOption[]): DialogField => ({
  name: 'companyId',
  label: messages.place,
  value: '',
  options: [{ value: '', label: messages.placeAccount }, ...apps],
});

type DialogOption = NonNullable<DialogField['options']>[number];

/**
 * Returns the companies in which the app can be opened as the user. In cookie mode there are none: the cookies of the app would replace
 * those of the console.
 */
async function appsOf({ id }: User): Promise<DialogOption[]> {
  if (pageData.webApp === undefined || pageData.cookieMode) return [];
  const { data } = await client.request('GET', '/internal/users/{id}/context', { path: { id } });
  const ids = (data?.companyMemberships ?? [])
    .filter(({ isActive }) => isActive)
    .map(({ companyId }) => companyId)
    .slice(0, MOST_COMPANIES);
  if (ids.length === 0) return [];
  const query = { ids: ids.join(','), limit: MOST_COMPANIES };
  const companies = await client.request('GET', '/internal/companies', { query });
  return ids.map((companyId) => {
    const name = companies.data?.find((company) => company.id === companyId)?.name;
    return { value: companyId, label: messages.placeApp(name ?? companyId) };
  });
}
