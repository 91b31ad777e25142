import type { MailContent } from './mail-content.js';
import { explainSmtpFailure, type SmtpProblem } from './smtp-failure.js';
import { connectionTo, mailFrom } from './smtp-message.js';
import { serverNameOf, type SmtpServer } from './smtp-server.js';

/** What came of a test: the server's answer, or why it did not take the mail. */
export type SmtpTestOutcome = { server: string } & (
  | ({ isAccepted: true } & Pick<SmtpProblem, 'answer'>)
  | ({ isAccepted: false } & SmtpProblem)
);

/** Hands one mail to the mail server over a connection of its own, past the outbox. Never rejects. */
export async function sendSmtpTest(
  smtp: SmtpServer,
  to: string,
  content: MailContent,
): Promise<SmtpTestOutcome> {
  // Loaded here: hardly any program that could send a test sends one.
  const { createTransport } = await import('nodemailer');
  const server = serverNameOf(smtp.url);
  const transport = createTransport(connectionTo(smtp));
  try {
    const { response } = await transport.sendMail(mailFrom(smtp.from, { ...content, to }));
    return { server, isAccepted: true, answer: response };
  } catch (error) {
    return { server, isAccepted: false, ...explainSmtpFailure(error, server) };
  } finally {
    transport.close();
  }
}
