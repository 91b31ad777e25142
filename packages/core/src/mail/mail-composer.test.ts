import { wcagContrast } from 'culori';
import { describe, expect, it } from 'vitest';
import { mailBrand } from '../../../../test/support/mail-brand.js';
import { mailComposer } from '../../../../test/support/mail-composer.js';
import { MAIL_VARIANTS } from '../../../../test/support/mail-variants.js';
import { accentColours } from '../kernel/accent-colours.js';
import type { Settings } from '../settings/settings.js';
import type { MailComposer } from './mail-composer.js';
import type { MailContent } from './mail-content.js';
import { MAIL_KINDS, type MailKind, type MailPayloads, type QueuedMail } from './mail-kind.js';
import { ACCOUNT_NOTICES } from './messages/account-notices.js';

const LINK =
  'https://auth.example.com/accept-invitation?from=mail&lang=en#token=lki_abcdefghijklmnopqrstuvwxyz0123456789';

/** The first variant of each kind. */
const PAYLOADS = Object.fromEntries(
  MAIL_KINDS.map((kind) => [kind, MAIL_VARIANTS[kind][0]?.payload]),
) as unknown as MailPayloads;
/** The notices to a user about a change of the account, without a link. */
const NOTICES = [
  ...ACCOUNT_NOTICES.map(({ kind }) => kind),
  'new_device',
  'acted_for',
  'role_changed',
] as const;

function queued<K extends MailKind>(kind: K, payload: MailPayloads[K] = PAYLOADS[kind]): QueuedMail {
  const createdAt = new Date('2026-11-20T14:05:00Z');
  return {
    id: 'm-1',
    kind,
    recipient: 'ada@example.com',
    payload,
    locale: null,
    attempts: 1,
    createdAt,
  } as QueuedMail;
}

const linkSource = (lifetime: number) => ({ complete: () => Promise.resolve({ url: LINK, lifetime }) });

const composerWithLinks = (brand: Partial<Settings['brand']> = {}, baseUrl?: string): MailComposer =>
  mailComposer(
    {
      invitation: linkSource(604_800),
      password_reset: linkSource(1_800),
      mailed_sign_in: {
        complete: () => Promise.resolve({ url: LINK, code: 'K7QM-2XWD', lifetime: 900 }),
      },
      email_change: linkSource(86_400),
      email_changed: { complete: () => Promise.resolve({ undo: { url: LINK, lifetime: 604_800 } }) },
      account_deletion: {
        complete: () => Promise.resolve({ url: LINK, deleteAt: new Date('2026-11-27T14:05:00Z') }),
      },
      email_verification: {
        complete: () =>
          Promise.resolve({
            url: LINK,
            lifetime: 86_400,
            enables: true,
            needsPassword: true,
            awaitsApproval: false,
          } as const),
      },
      approval_waiting: { complete: () => Promise.resolve({ waiting: 3 }) },
    },
    mailBrand(brand, baseUrl),
  );

async function composed(mail: QueuedMail, composer = composerWithLinks()): Promise<MailContent> {
  const content = await composer.compose(mail);
  if (content === 'skip') throw new Error('unexpectedly skipped');
  return content;
}

/** Text without its line breaks, so that assertions do not depend on where lines were broken. */
const unwrapped = (content: MailContent): string => content.text.replaceAll('\n', ' ');

describe.each(MAIL_KINDS)('a mail of kind %s', (kind) => {
  it('has lines of at most 72 columns, except its link on a separate line', async () => {
    const { text, links } = await composed(queued(kind));
    const long = text.split('\n').filter((line) => line.length > 72);
    expect(long).toEqual(links.filter((link) => link.length > 72));
    expect(text.split('\n')).toEqual(expect.arrayContaining(links));
  });

  it('names the product of the host app', async () => {
    const { subject, text, html } = await composed(queued(kind), composerWithLinks({ name: 'Ledger & Co' }));
    expect(subject).toContain('Ledger & Co');
    expect(text).toContain('Ledger & Co');
    expect(html).toContain('Ledger &amp; Co');
    expect(text + html).not.toContain('Latchkey');
  });

  it('follows the light or dark scheme, and loads nothing', async () => {
    const { html } = await composed(queued(kind));
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).not.toMatch(/<img|<script|<link|<style|url\(/i);
  });
});

describe('input of users in mail', () => {
  const GREETED = [
    ...NOTICES,
    'password_reset',
    'mailed_sign_in',
    'email_changed',
    'account_deletion',
  ] as const;

  /** A mail of any kind to a user of that name. */
  const mailTo = (kind: MailKind, fullName: string): Promise<MailContent> =>
    composed(queued(kind, { ...PAYLOADS[kind], fullName }));

  it.each(
    GREETED.flatMap((kind) => ['Ann Berg', "José Nuñez-O'Neill", '李小龙'].map((name) => [kind, name])),
  )('a mail of kind %s greets %s by name', async (kind, name) => {
    const { text, html } = await mailTo(kind as MailKind, name);
    expect(text).toMatch(`Hello ${name},\n`);
    expect(html).toContain(`Hello ${name.replaceAll("'", '&#39;')},`);
  });

  it.each(MAIL_KINDS)('a name that resembles a message is in no mail of kind %s', async (kind) => {
    const phishing = [
      'customer, your payroll account is locked. Confirm at https://evil.example/login',
      'you won: evil.example',
      'Ann\nYour account is locked',
      '<b>Ann</b> {{7*7}}',
      `Ann${' and friends'.repeat(12)}`,
    ];
    for (const name of phishing) {
      const { subject, text, html } = await mailTo(kind, name);
      expect(text).toMatch(/^Hello,\n/);
      expect(html).toContain('>Hello,<');
      expect(subject + text + html).not.toMatch(/evil|locked|won|7\*7|friends|<b>|Ann/);
    }
  });

  it('the mail of a registration contains no name: its address may be that of a stranger', async () => {
    const { text, html } = await mailTo('pending_registration', 'Ann Berg');
    expect(text).toMatch(/^Hello,\n/);
    expect(text + html).not.toContain('Ann');
  });

  it.each(['factor_added', 'factor_removed'] as const)(
    'a mail of kind %s contains the name of the factor unless it resembles a message',
    async (kind) => {
      const named = await composed(queued(kind, { fullName: null, factorName: "Ann's phone" }));
      expect(unwrapped(named)).toContain(`The second factor "Ann's phone" was`);
      const phishing = 'x" is due. Pay at https://evil.example';
      const unnamed = await composed(queued(kind, { fullName: null, factorName: phishing }));
      expect(unwrapped(unnamed)).toContain('A second factor was');
      expect(unnamed.text + unnamed.html).not.toContain('evil');
    },
  );

  it.each([
    [0, 'It was the last one.'],
    [1, 'One code is left.'],
    [9, '9 codes are left.'],
  ])('the mail about a used recovery code says that %i are left', async (codesLeft, sentence) => {
    const mail = await composed(queued('recovery_code_used', { fullName: null, codesLeft }));
    expect(unwrapped(mail)).toContain(sentence);
  });

  it.each(['passkey_added', 'passkey_removed'] as const)(
    'a mail of kind %s contains the name of the passkey unless it resembles a message',
    async (kind) => {
      const named = await composed(queued(kind, { fullName: null, passkeyName: "Ann's laptop" }));
      expect(unwrapped(named)).toContain(`The passkey "Ann's laptop" was`);
      const phishing = 'x" is due. Pay at https://evil.example';
      const unnamed = await composed(queued(kind, { fullName: null, passkeyName: phishing }));
      expect(unwrapped(unnamed)).toContain('A passkey was');
      expect(unnamed.text + unnamed.html).not.toContain('evil');
    },
  );

  it('the name of a company is escaped', async () => {
    const company = { ...PAYLOADS.invitation, companyName: '<script>x</script>' };
    const invitation = await composed(queued('invitation', company));
    expect(invitation.html).not.toContain('<script');
    expect(unwrapped(invitation)).toContain('join <script>x</script> on');
  });

  it('a line break in a name starts neither a header nor a paragraph', async () => {
    const companyName = 'Engines\r\nBcc: eve@example.com\r\n\r\nClick here';
    const { subject, text } = await composed(queued('invitation', { ...PAYLOADS.invitation, companyName }));
    expect(subject).toBe('You are invited to join Engines Bcc: eve@example.com Click here on Latchkey');
    expect(text).not.toMatch(/^(?:Bcc|Click)/m);
  });

  it('an unknown name leaves a plain greeting', async () => {
    const { text } = await composed(queued('password_changed', { fullName: null }));
    expect(text).toMatch(/^Hello,\n/);
  });
});

describe('links', () => {
  it('an invitation shows its link, its company and its lifetime', async () => {
    const content = await composed(queued('invitation'));
    expect(content.subject).toBe('You are invited to join Acme on Latchkey');
    expect(content.links).toEqual([LINK]);
    expect(content.text.split('\n')).toContain(LINK);
    expect(content.html).toContain(`href="${LINK.replace('&', '&amp;')}"`);
    expect(unwrapped(content)).toContain('This link expires in 7 days and can be used once.');
  });

  it('an invitation shows the inviter, the role and the expiry', async () => {
    const composer = composerWithLinks();
    const expiresAt = new Date('2026-11-27T14:05:00Z');
    const link = { url: LINK, lifetime: 604_800, expiresAt };
    const timed = mailComposer({ invitation: { complete: () => Promise.resolve(link) } });
    const named = { ...PAYLOADS.invitation, inviterName: 'Ann Berg', role: 'ACCOUNT_MANAGER' };
    const content = await composed(queued('invitation', named), timed);
    expect(unwrapped(content)).toContain(
      'Ann Berg invited you to join Acme on Latchkey with the role Account manager.',
    );
    expect(unwrapped(content)).toContain(
      'This link expires in 7 days, on 27 November 2026 at 14:05 UTC, and can be used once.',
    );
    const unnamed = await composed(queued('invitation', { ...named, inviterName: null }), composer);
    expect(unwrapped(unnamed)).toContain('An administrator of Acme invited you to join');
  });

  it('an invitation that a former version queued names neither inviter nor role', async () => {
    const content = await composed(queued('invitation'));
    expect(unwrapped(content)).toContain('An administrator of Acme invited you to join Acme on Latchkey.');
  });

  it('an invitation to a company without a name shows its id', async () => {
    const content = await composed(queued('invitation', { ...PAYLOADS.invitation, companyName: null }));
    expect(unwrapped(content)).toContain('join the company 018f4e6e-0000-7000-8000-00000000000a on');
  });

  it('a password reset shows its link and its lifetime', async () => {
    const content = await composed(queued('password_reset'));
    expect(content.links).toEqual([LINK]);
    expect(unwrapped(content)).toContain('This link expires in 30 minutes and can be used once.');
  });

  it('a registration to be confirmed shows its link and its lifetime, and contains no name', async () => {
    const content = await composed(queued('email_verification'));
    expect(content.links).toEqual([LINK]);
    expect(unwrapped(content)).toContain('This link expires in 24 hours and can be used once.');
    expect(content.text).toMatch(/^Hello,\n/);
  });

  it('a sign-in from a new device is described by device and address', async () => {
    const content = await composed(queued('new_device'));
    expect(unwrapped(content)).toContain(
      'was used on 20 November 2026 at 14:05 UTC from a device that had not signed in to it before (Chrome on macOS, address 203.0.113.7).',
    );
  });

  it.each([
    { device: 'evil.example/login', ipAddress: '203.0.113.7', shown: 'before (address 203.0.113.7).' },
    { device: null, ipAddress: null, shown: 'before.' },
  ])('the name "$device" of a new device is not shown', async ({ shown, ...facts }) => {
    const content = await composed(queued('new_device', { fullName: null, ...facts }));
    expect(unwrapped(content)).toContain(shown);
  });

  it('several new devices are listed in one mail, each with its own time, also in HTML', async () => {
    const others = [{ device: 'Phone', ipAddress: null, at: '2026-11-19T16:20:00Z' }];
    const first = { device: 'Chrome on macOS', ipAddress: '203.0.113.7' };
    const content = await composed(queued('new_device', { fullName: null, ...first, others }));
    const lines = [
      '• Chrome on macOS, address 203.0.113.7, on 20 November 2026 at 14:05 UTC',
      '• Phone, on 19 November 2026 at 16:20 UTC',
    ];
    for (const line of lines) {
      expect(unwrapped(content)).toContain(line);
      expect(content.html).toContain(line);
    }
  });

  it.each(['pending_registration', ...NOTICES] as const)('%s is a notice without a link', async (kind) => {
    const { text, html, links } = await composed(queued(kind));
    expect(links).toEqual([]);
    expect(text + html).not.toMatch(/https?:|<a /);
  });

  it('the mail about an approval links to the sign-in page once the account is active', async () => {
    const content = await composed(queued('registration_approved'));
    expect(content.links).toEqual(['https://auth.example.com/login']);
    const inactive = await composed(queued('registration_approved', { isActive: false }));
    expect(inactive.links).toEqual([]);
    expect(unwrapped(inactive)).toContain('as soon as an administrator has activated it');
  });

  it.each([
    [1, '1 registration waits'],
    [12, '12 registrations wait'],
  ])('the mail to approvers reports that %i wait, without names', async (waiting, words) => {
    const composer = mailComposer({ approval_waiting: { complete: () => Promise.resolve({ waiting }) } });
    const content = await composed(queued('approval_waiting'), composer);
    expect(content.subject).toBe(`${words} for approval on Latchkey`);
    expect(unwrapped(content)).toContain('latchkey users list --status PENDING');
    expect(content.links).toEqual([]);
  });

  it('notices contain the time of the event', async () => {
    const text = unwrapped(await composed(queued('password_changed')));
    expect(text).toContain('was changed on 20 November 2026 at 14:05 UTC.');
  });
});

describe('the brand', () => {
  const LINK_KINDS = ['invitation', 'password_reset', 'mailed_sign_in', 'email_verification'] as const;
  const buttonOf = ({ html }: MailContent) =>
    /background-color:(?<background>#[0-9a-f]{6});color:(?<text>#[0-9a-f]{6})/.exec(html)?.groups ?? {};

  it.each(['#ffff00', '#2f5bd0', '#000000', '#ffffff', '#e8590c'])(
    'the button has the accent %s as far as its text stays legible',
    async (accent) => {
      for (const kind of LINK_KINDS) {
        const { background = '', text = '' } = buttonOf(
          await composed(queued(kind), composerWithLinks({ accent })),
        );
        expect(wcagContrast(background, text)).toBeGreaterThanOrEqual(4.5);
        expect(background).toBe(accentColours(accent).light.accent);
      }
    },
  );

  it.each(MAIL_KINDS)('a mail of kind %s is headed by the name and a rule in the accent', async (kind) => {
    const { html } = await composed(queued(kind), composerWithLinks({ name: 'A & B', accent: '#7f00ff' }));
    expect(html).toMatch(
      /border-bottom:3px solid #7f00ff"><span [^>]+>A<\/span>A &amp; B<\/p>\n<p[^>]*>Hello/,
    );
  });

  it('a help that is a path of this host is linked with its address', async () => {
    const links = { terms: undefined, privacy: undefined, support: '/help' };
    const { html } = await composed(queued('password_reset'), composerWithLinks({ links }));
    expect(html).toContain('<a href="https://auth.example.com/help"');
  });

  it('a logo replaces the name, which is its alternative text', async () => {
    const composer = composerWithLinks({ name: 'A & B', logoPath: '/brand/logo.png' });
    const { html } = await composed(queued('password_changed'), composer);
    expect(html).toContain('<img src="https://auth.example.com/brand/logo.png" alt="A &amp; B"');
  });

  it.each([
    ['/brand/logo.svg', 'https://auth.example.com'],
    ['/brand/logo.png', 'http://localhost:3097'],
  ])('mail programs would not show %s of %s, so the name is shown', async (logoPath, baseUrl) => {
    const composer = composerWithLinks({ name: 'Acme', logoPath }, baseUrl);
    const { html } = await composed(queued('password_changed'), composer);
    expect(html).not.toContain('<img');
    expect(html).toContain('>Acme</p>');
  });

  it.each(MAIL_KINDS)('a mail of kind %s ends with its sender and its reason', async (kind) => {
    const content = await composed(queued(kind));
    const footer = /-- {2}(Sent by Latchkey\. You receive this email because [^.]+\.) $/.exec(
      unwrapped(content),
    );
    expect(content.html).toContain(`>${footer?.[1] ?? 'no footer'}</p>`);
  });
});

describe('sources that complete mail', () => {
  it('a source receives the mail that it completes', async () => {
    const asked: QueuedMail[] = [];
    const composer = mailComposer({
      password_reset: {
        complete: (mail) => {
          asked.push(mail);
          return Promise.resolve({ url: `https://auth.example.com/${mail.payload.userId}`, lifetime: 60 });
        },
      },
    });
    const mail = queued('password_reset');
    expect((await composed(mail, composer)).links).toEqual(['https://auth.example.com/u-1']);
    expect(asked).toEqual([mail]);
  });

  it.each(['invitation', 'password_reset', 'email_verification', 'approval_waiting'] as const)(
    'a mail of kind %s is skipped when its cause no longer exists',
    async (kind) => {
      expect(await mailComposer().compose(queued(kind))).toBe('skip');
    },
  );
});
