const { dataset } = document.body;

/** A service by which users sign in. */
export interface Provider {
  id: string;
  type: 'google' | 'microsoft' | 'github' | 'oidc';
  label: string;
  /** True if it asks for the password again, so that it proves who is there. */
  reauthenticates: boolean;
}

/** Data from the service for this page. */
export const pageData = {
  /** Public path of the service, without a trailing slash. */
  base: dataset.base ?? '',
  /** The name of the product. */
  brand: dataset.brand ?? '',
  /** True: tokens are in cookies that scripts cannot read. */
  cookieMode: dataset.cookieMode === 'true',
  /** The default target after the page is done. */
  webApp: dataset.webApp === '' ? undefined : dataset.webApp,
  /** True if the page offers passkeys. */
  passkeys: dataset.passkeys === 'true',
  /** True if users can have second factors. */
  secondFactor: dataset.secondFactor === 'true',
  /** True if browsers can be trusted after a second factor. */
  trustedDevices: dataset.trustedDevices === 'true',
  /** True if users may make API keys for themselves. */
  personalKeys: dataset.apiKeys === 'personal' || dataset.apiKeys === 'all',
  /** True if companies may have API keys. */
  companyKeys: dataset.apiKeys === 'company' || dataset.apiKeys === 'all',
  /** Seconds that an API key lives unless another lifetime is chosen. */
  apiKeyLifetime: Number(dataset.apiKeyLifetime ?? 0),
  /** The most seconds that an API key can live. Undefined: it may have no end. */
  apiKeyMaxLifetime: dataset.apiKeyMaxLifetime ? Number(dataset.apiKeyMaxLifetime) : undefined,
  /** True if the platform may have webhooks. */
  webhooks: dataset.webhooks === 'platform' || dataset.webhooks === 'all',
  /** True if companies may have webhooks, too. */
  companyWebhooks: dataset.webhooks === 'all',
  /** True if platform staff have a console. */
  hasConsole: dataset.hasConsole === 'true',
  /** True if administrators of a company have pages. */
  hasCompanyPages: dataset.hasCompanyPages === 'true',
  /** True if companies can have API keys. */
  hasCompanyKeys: dataset.hasCompanyKeys === 'true',
  /** True if companies can have webhooks. */
  hasCompanyWebhooks: dataset.hasCompanyWebhooks === 'true',
  /** True if the page of the service at `/` says what production needs. */
  isTrial: dataset.isTrial === 'true',
  /** The least number of characters of a password. */
  minPasswordLength: Number(dataset.minPasswordLength ?? 8),
  /** True if common passwords are accepted because this is no production service. */
  allowsCommonHere: dataset.allowsCommonHere === 'true',
  /** True if passwords from data breaches are refused. */
  breachList: dataset.breachList === 'true',
  /** True if users can confirm their email address. */
  emailVerification: dataset.emailVerification === 'true',
  /** True if users may delete their own account. */
  accountDeletion: dataset.accountDeletion === 'true',
  /** True if the page may be opened to act for a user. */
  isForActing: dataset.isForActing === 'true',
  /** The most minutes for which staff act for a user; 0 if they may not. */
  actingMinutes: Number(dataset.actingMinutes ?? 0),
  /** True if users may upload a picture, and pages show it. */
  pictures: dataset.pictures === 'true',
  /** The mailed link of the page. */
  link: dataset.link ?? '',
  /** True if links of new registrations need the password. */
  needsPassword: dataset.needsPassword === 'true',
  /** True if a reset of the password removes passkeys. */
  removesPasskeys: dataset.removesPasskeys === 'true',
  /** The first need of a new registration: a proof of its mailbox, or a decision of staff. */
  pending: dataset.pending === 'mail' ? 'mail' : 'waiting',
  /** True if staff decide on registrations. */
  staffDecide: dataset.staffDecide === 'true',
  /** The next thing that a registration gets while staff decide on it: a link, a mail after the decision, or nothing. */
  waitsFor: dataset.waitsFor ?? '',
  /** True if no one needs to be invited to have an account. */
  mayRegister: dataset.mayRegister === 'true',
  /** True if users may sign in by a mailed link or code. */
  mailedSignIn: dataset.mailedSignIn === 'true',
  /** The services by which users sign in; empty without any. */
  providers: JSON.parse(dataset.external ?? '[]') as readonly Provider[],
  /** The requested target, validated by the service. */
  returnTo: dataset.returnTo === '' ? undefined : dataset.returnTo,
} as const;
