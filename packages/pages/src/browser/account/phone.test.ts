import { describe, expect, it } from 'vitest';
import { phoneOf } from './phone.js';

const phone = (phonePrefix: string, phoneNumber: string) => ({ phonePrefix, phoneNumber });

describe('a phone number of a person', () => {
  it('is taken with spaces, brackets and dashes', () => {
    expect(phoneOf('+49', '(30) 123-456 / 7')).toEqual(phone('+49', '301234567'));
  });

  it('names its dial code itself if it starts with + or 00', () => {
    expect(phoneOf('+49', '+44 20 7946 0018')).toEqual(phone('+44', '2079460018'));
    expect(phoneOf('', '0041 44 123 45 67')).toEqual(phone('+41', '441234567'));
    expect(phoneOf('', '+351 21 1234567')).toEqual(phone('+351', '211234567'));
  });

  it('keeps a saved dial code that no country of the list has', () => {
    expect(phoneOf('+1684', '+1684 733 1234')).toEqual(phone('+1684', '7331234'));
  });

  it('loses its dial code when it is emptied', () => {
    expect(phoneOf('+49', ' ')).toEqual(phone('', ''));
  });

  it('without a known dial code is left to the service, which refuses it', () => {
    expect(phoneOf('', '+999 12345')).toEqual(phone('', '+99912345'));
  });
});
