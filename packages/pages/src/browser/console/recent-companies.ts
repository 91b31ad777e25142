import { tabStorage } from '../tab-storage.js';

const KEY = 'latchkey.console.companies';
const MOST = 8;

/** Returns the ids of the companies that were opened last in this tab, the last one first. */
export const recentCompanies = (): readonly string[] =>
  (tabStorage.getItem(KEY) ?? '').split(' ').filter((id) => id !== '');

export function rememberCompany(id: string): void {
  const others = recentCompanies().filter((each) => each !== id);
  tabStorage.setItem(KEY, [id, ...others].slice(0, MOST).join(' '));
}
