import { pageData } from '../page-data.js';

/** Returns the address of the sign-in that leads back to this page. */
export function signInAddress(): string {
  const back = location.pathname + location.search + location.hash;
  return `${pageData.base}/login?returnTo=${encodeURIComponent(back)}`;
}

/** Leaves the page for the sign-in. The page before is not reached again by the back button. */
export const goToSignIn = (): void => location.replace(signInAddress());
