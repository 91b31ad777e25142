import { expect, it } from 'vitest';
import { silentLogger } from '../kernel/logger.js';
import { InboxMailer } from './mailer.inbox.js';
import type { MailMessage } from './mailer.js';

const mailTo = (to: string): MailMessage => ({
  id: 'of-the-outbox',
  kind: 'password_reset',
  to,
  locale: 'en',
  subject: 'Reset your password',
  text: 'Open https://auth.example.com/reset#t',
  html: '<p>Open</p>',
  links: ['https://auth.example.com/reset#t'],
});

it('kept mail is listed newest first and found by its id', async () => {
  const inbox = new InboxMailer(silentLogger);
  await inbox.send(mailTo('first@example.com'));
  await inbox.send(mailTo('second@example.com'));
  expect(inbox.list().map((mail) => mail.to)).toEqual(['second@example.com', 'first@example.com']);
  const newest = inbox.list()[0]!;
  expect(inbox.find(newest.id)).toBe(newest);
  expect(inbox.find('unknown')).toBeUndefined();
});

it('only the last 200 mails are kept', async () => {
  const inbox = new InboxMailer(silentLogger);
  for (let n = 1; n <= 205; n += 1) await inbox.send(mailTo(`user${n}@example.com`));
  expect(inbox.list()).toHaveLength(200);
  expect(inbox.list().at(-1)?.to).toBe('user6@example.com');
});

it('subject, recipient and links are logged at info, the text is not', async () => {
  const lines: object[] = [];
  const inbox = new InboxMailer({ ...silentLogger, info: (details) => lines.push(details) });
  await inbox.send(mailTo('ada@example.com'));
  expect(lines).toEqual([
    {
      mailId: inbox.list()[0]?.id,
      subject: 'Reset your password',
      to: 'ada@example.com',
      links: ['https://auth.example.com/reset#t'],
    },
  ]);
});
