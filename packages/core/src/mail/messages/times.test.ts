import { describe, expect, it } from 'vitest';
import { MAIL_TEXTS } from './mail-texts.js';

const AT = new Date('2026-11-20T14:05:59Z');

describe('lifetimes', () => {
  it.each([
    [604_800, '7 days', '7 Tage'],
    [604_795, '7 days', '7 Tage'],
    [86_400, '24 hours', '24 Stunden'],
    [5_400, '90 minutes', '90 Minuten'],
    [1_800, '30 minutes', '30 Minuten'],
    [60, '60 seconds', '60 Sekunden'],
    [3, '3 seconds', '3 Sekunden'],
    [1, '1 second', '1 Sekunde'],
    [0, '1 second', '1 Sekunde'],
  ])('%i seconds read "%s" and "%s"', (seconds, english, german) => {
    expect(MAIL_TEXTS.en.times.lifetime(seconds)).toBe(english);
    expect(MAIL_TEXTS.de.times.lifetime(seconds)).toBe(german);
  });
});

describe('times', () => {
  it('an English time has day, time and zone', () => {
    expect(MAIL_TEXTS.en.times.on(AT)).toBe('on 20 November 2026 at 14:05 UTC');
    expect(MAIL_TEXTS.en.times.at(AT)).toBe('20 November 2026 at 14:05 UTC');
  });

  it('a German time has day, time and zone', () => {
    expect(MAIL_TEXTS.de.times.on(AT)).toBe('am 20. November 2026 um 14:05 Uhr (UTC)');
    expect(MAIL_TEXTS.de.times.at(AT)).toBe('20. November 2026 um 14:05 Uhr (UTC)');
  });
});
