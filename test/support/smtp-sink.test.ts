import { createTransport } from 'nodemailer';
import { expect, it } from 'vitest';
import { startSmtpSink } from './smtp-sink.js';

const mail = {
  from: 'no-reply@example.com',
  to: 'zoë@example.com',
  subject: 'Grüße ✓',
  text: 'Hello',
  html: '<b>Hello</b>',
};

it('a mail arrives decoded', async () => {
  const sink = await startSmtpSink();
  const transport = createTransport({ url: sink.url, pool: true });
  await transport.sendMail({ ...mail, to: 'zoe@example.com', headers: { 'X-Kind': 'greeting' } });
  const received = await sink.waitForMessage((message) => message.to.includes('zoe@example.com'));
  expect(received).toMatchObject({ subject: 'Grüße ✓', text: 'Hello', from: 'no-reply@example.com' });
  expect(received.html).toContain('<b>Hello</b>');
  expect(received.headers['x-kind']).toBe('greeting');
  transport.close();
  await sink.stop();
});

it('recipients can be refused for later or for good', async () => {
  const sink = await startSmtpSink();
  const transport = createTransport(sink.url);
  sink.refuseWith = 450;
  await expect(transport.sendMail(mail)).rejects.toMatchObject({ responseCode: 450 });
  sink.refuseWith = undefined;
  await transport.sendMail(mail);
  expect(sink.messages).toHaveLength(1);
  await sink.stop();
  await expect(transport.sendMail(mail)).rejects.toMatchObject({ code: 'ESOCKET' });
});
