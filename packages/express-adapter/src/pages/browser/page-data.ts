const { dataset } = document.body;

/** What the service told this page. */
export const pageData = {
  /** Public path of the service, without a trailing slash. */
  base: dataset.base ?? '',
  /** Tokens live in cookies that scripts cannot read. */
  cookieMode: dataset.cookieMode === 'true',
  /** Where people go when done, and nothing else is asked for. */
  webApp: dataset.webApp === '' ? undefined : dataset.webApp,
  /** Checked by the service. */
  returnTo: dataset.returnTo === '' ? undefined : dataset.returnTo,
} as const;
