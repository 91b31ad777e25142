import { pluralIn } from '../plural.js';

const plural = pluralIn('en');

/** Texts of the choice to trust a device, at the second step of a sign-in. */
export const trustChoiceMessages = {
  trust: (days: number): string =>
    plural(days, {
      one: "Don't ask again on this device for {n} day",
      other: "Don't ask again on this device for {n} days",
    }),
  trustHint: 'Choose this only on a device of your own.',
};

/** Texts of trusted devices on the account page. */
export const trustedDeviceMessages = {
  title: 'Trusted devices',
  lead: 'On these devices you sign in without a code.',
  none: 'You trust no device.',
  unknownDevice: 'Unknown device',
  until: 'until {time}',
  remove: 'Remove',
  removeOf: (device: string) => `Remove ${device}`,
  removed: 'The device is asked for a code again.',
  removeAll: 'Remove all',
  removeAllTitle: 'Remove all trusted devices?',
  removeAllText: 'The next sign-in on each of them asks for a code. You stay signed in.',
  removedAll: 'No device is trusted any more.',
};
