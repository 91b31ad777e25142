const { dataset } = document.body;

/** Data from the service for the pages of signed-in users, beside that of every page. */
export const appData = {
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
  /** True if administrators of a company have pages. */
  hasCompanyPages: dataset.hasCompanyPages === 'true',
  /** True if companies can have API keys. */
  hasCompanyKeys: dataset.hasCompanyKeys === 'true',
  /** True if companies can have webhooks. */
  hasCompanyWebhooks: dataset.hasCompanyWebhooks === 'true',
  /** True if the page of the service at `/` says what production needs. */
  isTrial: dataset.isTrial === 'true',
  /** True if passwords from data breaches are refused. */
  breachList: dataset.breachList === 'true',
  /** True if users can confirm their email address. */
  emailVerification: dataset.emailVerification === 'true',
  /** True if users may delete their own account. */
  accountDeletion: dataset.accountDeletion === 'true',
  /** The most minutes for which staff act for a user; 0 if they may not. */
  actingMinutes: Number(dataset.actingMinutes ?? 0),
  /** True if users may upload a picture, and pages show it. */
  pictures: dataset.pictures === 'true',
  /** True if browsers can be trusted after a second factor. */
  trustedDevices: dataset.trustedDevices === 'true',
  /** True if users can have second factors. */
  secondFactor: dataset.secondFactor === 'true',
} as const;
