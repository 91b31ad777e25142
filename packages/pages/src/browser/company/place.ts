import { useEffect, useState } from 'preact/hooks';
import { appData } from '../app-data.js';
import { pageData } from '../page-data.js';
import { mayIn, type CompanyAction, type Authority } from './rights.js';

const ROOT = `${pageData.base}/company`;

/** The company of the address, in the spelling of the service; undefined for the page that lists one's companies. */
export const companyIdOfAddress = (): string | undefined =>
  location.pathname.slice(ROOT.length).replaceAll('/', '').toLowerCase() || undefined;

/** Returns the address of the page of a company. Where the user came from goes along. */
export const companyHref = (companyId: string): string => `${ROOT}/${companyId}${location.search}`;

/** Returns the address of the page that lists one's companies. */
export const choiceHref = (): string => ROOT + location.search;

/** The views of the page with the right that each needs, by the fragment of its address. */
const NEEDS = {
  members: 'read',
  invitations: 'invite',
  roles: 'read',
  keys: 'manage',
  webhooks: 'manage',
  activity: 'manage',
} as const satisfies Record<string, CompanyAction>;

export type View = keyof typeof NEEDS;

/** Views of what the service may have turned off. */
const IS_ON: Partial<Record<View, boolean>> = {
  keys: appData.hasCompanyKeys,
  webhooks: appData.hasCompanyWebhooks,
};

/** Returns the views that a user may open, the first of which is the one at first. */
export const viewsOf = (authority: Authority): View[] =>
  (Object.keys(NEEDS) as View[]).filter((view) => mayIn(authority, NEEDS[view]) && IS_ON[view] !== false);

/** Returns the view of the address, or else the first of those that may be opened. */
export function useView(views: readonly View[]): View | undefined {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return views.find((view) => `#${view}` === hash) ?? views[0];
}
