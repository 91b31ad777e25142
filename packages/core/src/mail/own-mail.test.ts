import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppMailer } from './mailer.app.js';
import type { MailToSend } from './own-mail.js';

const MAIL: MailToSend = {
  id: '018f4e6e-0000-7000-8000-000000000001',
  to: 'ann@example.com',
  kind: 'password_reset',
  locale: 'en',
  subject: 'Your link',
  text: 'a',
  html: 'b',
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a function that never sends is given up after 30 seconds, before the claim of the mail ends', async () => {
  const sending = new AppMailer(() => new Promise(() => undefined)).send({ ...MAIL, links: [] });
  const outcome = expect(sending).rejects.toThrow('mail.send took longer than 30 seconds.');
  await vi.advanceTimersByTimeAsync(30_000);
  await outcome;
});

it('the function gets the documented fields of a mail, and no others', async () => {
  const send = vi.fn();
  await new AppMailer(send).send({ ...MAIL, links: ['https://id.example.com/reset-password?token=lkp_x'] });
  expect(send.mock.calls).toEqual([[MAIL]]);
});
