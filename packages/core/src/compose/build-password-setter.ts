import { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import { PasskeyRepository } from '../passkeys/passkey-repository.js';
import type { Records } from './build-records.js';

/** The one way to set the password of an existing user. */
export const buildPasswordSetter = (records: Records, outbox: Outbox): PasswordSetter =>
  new PasswordSetter({ ...records, outbox, passkeys: new PasskeyRepository(records.database) });
