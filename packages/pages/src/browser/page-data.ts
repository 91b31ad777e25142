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
  /** The address of the script with the views of the second step. */
  secondStepScript: dataset.secondStepScript ?? '',
  /** The address of the script that estimates the strength of a new password. */
  passwordStrengthScript: dataset.passwordStrengthScript ?? '',
  /** True if platform staff have a console. */
  hasConsole: dataset.hasConsole === 'true',
  /** The least number of characters of a password. */
  minPasswordLength: Number(dataset.minPasswordLength ?? 8),
  /** True if common passwords are accepted because this is no production service. */
  allowsCommonHere: dataset.allowsCommonHere === 'true',
  /** True if the page may be opened to act for a user. */
  isForActing: dataset.isForActing === 'true',
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
