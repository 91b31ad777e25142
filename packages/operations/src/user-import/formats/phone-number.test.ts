import { describe, expect, it } from 'vitest';
import { contactInput } from '@latchkey/core/internal/users/user-schema';
import { phoneFields } from './phone-number.js';

describe('a phone number', () => {
  it.each([
    ['+493012345678', '+49', '3012345678'],
    ['+12125550100', '+1', '2125550100'],
    ['+7 495 123-45-67', '+7', '4951234567'],
    ['+353 (1) 234 5678', '+353', '12345678'],
    ['+41.44.668.18.00', '+41', '446681800'],
    ['+9714123456', '+971', '4123456'],
    ['+37052123456', '+370', '52123456'],
    ['+85221234567', '+852', '21234567'],
  ])('with a country code is split: %s', (text, phonePrefix, phoneNumber) => {
    const notes: string[] = [];
    expect(phoneFields(text, notes)).toEqual({ phonePrefix, phoneNumber });
    expect(notes).toEqual([]);
    expect(contactInput.safeParse({ phonePrefix, phoneNumber }).success).toBe(true);
  });

  it.each(['030 123456', '0049301234567', '+28012345678', '+0301234567', '+1234567890123456', '+49', 'none'])(
    'that cannot be split with certainty is left out with a note: %s',
    (text) => {
      const notes: string[] = [];
      expect(phoneFields(text, notes)).toEqual({});
      expect(notes).toEqual([
        'The phone number is not a complete number with a country code and is left out.',
      ]);
    },
  );

  it('that is missing gives no note', () => {
    const notes: string[] = [];
    expect(phoneFields(undefined, notes)).toEqual({});
    expect(notes).toEqual([]);
  });
});
