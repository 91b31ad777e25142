import { PASSKEY_ENV } from './passkey-client.js';

/** Settings with which a service offers every route: tests that walk the table of routes then meet no 404. */
export const OFFERED_ENV = {
  ...PASSKEY_ENV,
  MAILED_SIGN_IN: 'on',
  ACCOUNT_DELETION: 'self',
  STAFF_ACTING: 'on',
  PROFILE_PICTURES: 'on',
  AUTH_WEB_COOKIE_MODE: 'true',
  TRUSTED_DEVICE_DAYS: '30',
  EXTERNAL_PROVIDERS: JSON.stringify([{ id: 'github', type: 'github', clientId: 'x', clientSecret: 'y' }]),
};
