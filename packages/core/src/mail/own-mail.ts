import { withDeadline } from '../kernel/deadline.js';
import type { Locale } from '../kernel/locale.js';
import { didYouMean } from '../kernel/near-names.js';
import type { LateMailKind, MailCompletions, MailKind, MailPayloads, QueuedMail } from './mail-kind.js';
import { MailRejectedError } from './mailer.js';
import { oneLine } from './messages/plain-text.js';

/**
 * The facts of a mail: those of its cause, what is known when it is sent, such as its link in `url`, and for every kind the
 * recipient and the time of the cause. `kind` tells the types apart.
 */
export type MailData = {
  [K in MailKind]: MailPayloads[K] &
    (K extends LateMailKind ? MailCompletions[K] : unknown) & {
      kind: K;
      recipient: string;
      /** The time at which the mail was queued. */
      occurredAt: Date;
    };
}[MailKind];

/** The texts of a mail, as the app writes them. */
export interface RenderedMail {
  /** One line, at most 500 characters. */
  subject: string;
  text: string;
  html: string;
}

/** A mail that the app is to send. */
export interface MailToSend extends RenderedMail {
  /** The same for every attempt: a provider can recognize a mail that it has accepted before. */
  id: string;
  /** One bare address. */
  to: string;
  kind: MailKind;
  locale: Locale;
}

/**
 * Functions of the app that write and send the mails of the service. Both are called when a mail is due, in the worker of the
 * outbox; one that throws is called again later, at most 20 times.
 */
export interface OwnMail {
  /** Returns the texts of a mail; undefined for those of the service. It has 3 seconds. */
  render?:
    | ((
        kind: MailKind,
        data: MailData,
        locale: Locale,
      ) => RenderedMail | undefined | Promise<RenderedMail | undefined>)
    | undefined;
  /** Sends a mail in place of SMTP, and returns once it is accepted. It has 30 seconds. */
  send?: ((mail: MailToSend) => unknown) | undefined;
}

const RENDER_MS = 3_000;
const SEND_MS = 30_000;
const MAX_SUBJECT = 500;

/**
 * Asks the app for the texts of a mail.
 * @returns undefined if it leaves them to the service.
 * @throws Error that names the function, if it throws, takes too long, or returns something else.
 */
export async function renderOwn(
  render: NonNullable<OwnMail['render']>,
  { kind, recipient, payload, createdAt: occurredAt }: QueuedMail,
  { completion, locale }: { completion: object | undefined; locale: Locale },
): Promise<RenderedMail | undefined> {
  const data = { ...payload, ...completion, kind, recipient, occurredAt } as MailData;
  const texts = await called('mail.render', RENDER_MS, () => render(kind, data, locale));
  if (texts === undefined) return undefined;
  const fault = faultOf(texts);
  if (fault !== undefined) throw new Error(`mail.render returned ${fault} for ${kind}.`);
  const { subject, text, html } = texts;
  // A template that was read from a file ends in a line break.
  return { subject: subject.trim(), text, html };
}

/** Has the app send a mail. @throws Error that names the function, if it throws or takes too long. */
export async function sendOwn(send: NonNullable<OwnMail['send']>, mail: MailToSend): Promise<void> {
  await called('mail.send', SEND_MS, () => send(mail));
}

async function called<T>(name: string, milliseconds: number, call: () => T | Promise<T>): Promise<T> {
  const late = `${name} took longer than ${milliseconds / 1000} seconds.`;
  const answer = (async () => call())().catch((error: unknown) => {
    throw named(name, error);
  });
  return withDeadline(answer, milliseconds, late);
}

/** Leaves the error of the app as it is, which may be frozen or thrown again. A permanent failure stays one. */
function named(name: string, thrown: unknown): Error {
  const message = `${name} failed: ${messageOf(thrown)}`;
  return MailRejectedError.is(thrown)
    ? new MailRejectedError(message, { cause: thrown })
    : new Error(message, { cause: thrown });
}

/** Returns the message of an error, with that of its cause: `fetch failed` alone says nothing. */
function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { message, cause } = thrown;
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}

/** Returns what is wrong with the texts of a mail; undefined if nothing is. */
function faultOf(texts: unknown): string | undefined {
  if (typeof texts !== 'object' || texts === null) return 'no object with subject, text and html';
  for (const part of ['subject', 'text', 'html'] as const) {
    const value: unknown = Reflect.get(texts, part);
    if (typeof value !== 'string' || value.trim() === '') return `no ${part}`;
    if (part !== 'subject') continue;
    if (oneLine(value) !== value.trim()) return 'a subject with line breaks or control characters';
    if (Array.from(value).length > MAX_SUBJECT) return `a subject of more than ${MAX_SUBJECT} characters`;
  }
  return undefined;
}

const FUNCTIONS: readonly string[] = ['render', 'send'] satisfies (keyof OwnMail)[];
const LINE =
  'Write: createAuth(settings, { mail: { render: (kind, data, locale) => …, send: async (mail) => { … } } })';

/** @throws TypeError that shows the right line, for anything but functions with these names. */
export function assertOwnMail(mail: unknown): void {
  if (mail === undefined) return;
  if (typeof mail !== 'object' || mail === null) {
    throw new TypeError(
      `createAuth: mail must be an object of functions; sendMail turns sending on and off. ${LINE}`,
    );
  }
  for (const [name, value] of Object.entries(mail)) {
    if (!FUNCTIONS.includes(name)) {
      throw new TypeError(`createAuth: mail.${name} is unknown.${didYouMean(name, FUNCTIONS)} ${LINE}`);
    }
    if (value !== undefined && typeof value !== 'function') {
      throw new TypeError(`createAuth: mail.${name} must be a function. ${LINE}`);
    }
  }
}
