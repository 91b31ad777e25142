import { emailDomain } from '../../kernel/email-domain.js';
import { readMailbox } from '../../kernel/mailbox.js';
import { quote } from '../quote.js';
import { kindOf, Problem, readList } from './setting-kind.js';

/** Bare addresses as the outbox accepts them: a registration must not fail because of one. */
const ADDRESS = /^(?=.{3,254}$)[^<>@;,\s\p{Cc}]+@[^<>@;,\s\p{Cc}]+\.[^<>@;,.\s\p{Cc}]+$/u;

/** Bare addresses, each once. */
export const emailList = kindOf('comma-separated email addresses without names', (text) => {
  const read = readList(text, (part) =>
    ADDRESS.test(part) ? part : new Problem(`${quote(part)} is not an email address`),
  );
  return read instanceof Problem ? read : [...new Set(read)];
});

/** Domains of addresses as they are stored, each once; `*.` stands for all domains below one. */
export const domainList = kindOf(
  'comma-separated domains such as example.com, or *.example.com for those below it',
  (text) => {
    const read = readList(text, (part) => {
      const [, below = '', name = ''] = /^(\*\.)?(.*)$/.exec(part) ?? [];
      const domain = emailDomain(name);
      return domain === undefined
        ? new Problem(`${quote(part)} is not a domain of email addresses`)
        : `${below}${domain}`;
    });
    return read instanceof Problem ? read : [...new Set(read)];
  },
);

/** The sender of mails: one mailbox. Its name is any text. */
export const mailbox = kindOf(
  'an email address, or a name with one: Latchkey <no-reply@example.com>',
  (text) =>
    readMailbox(text) ? text : new Problem('not one address, with or without a name before <address>'),
);
