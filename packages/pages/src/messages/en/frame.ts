/** Texts around every page. */
export const frameMessages = {
  needsScripts: 'This page needs JavaScript. Turn it on, then reload the page.',
  terms: 'Terms of service',
  privacy: 'Privacy',
  support: 'Support',
};
