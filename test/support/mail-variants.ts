import type {
  LateMailKind,
  MailCompletions,
  MailKind,
  MailPayloads,
} from '../../packages/core/src/mail/mail-kind.js';

const url = 'https://auth.example.com/x?token=lki_abcdefghijklmnopqrstuvwxyz0123456789';
const expiresAt = new Date('2026-11-27T14:05:00Z');
const week = { url, lifetime: 604_800 };
const day = { url, lifetime: 86_400 };
const ada = { fullName: 'Ada Lovelace' };
const unclear = 'x" is due. Pay at https://evil.example';
const invited = {
  invitationId: 'i-1',
  companyId: '018f4e6e-0000-7000-8000-00000000000a',
  companyName: 'Acme',
};
const verification = { ...day, enables: true, needsPassword: true, awaitsApproval: false };

/** A mail that differs from others of its kind in its sentences; a late one with what completes it. */
type Variant<K extends MailKind> = {
  payload: MailPayloads[K];
} & (K extends LateMailKind ? { completion: MailCompletions[K] } : object);

/** Every sentence of every mail occurs in one of these; a new kind does not compile without its own. */
export const MAIL_VARIANTS: { readonly [K in MailKind]: readonly Variant<K>[] } = {
  pending_registration: [{ payload: {} }],
  registration_approved: [{ payload: { isActive: true } }, { payload: { isActive: false } }],
  registration_rejected: [{ payload: {} }],
  password_changed: [{ payload: ada }, { payload: { fullName: null } }],
  passkey_added: ['Laptop', unclear].map((passkeyName) => ({ payload: { ...ada, passkeyName } })),
  passkey_removed: ['Laptop', unclear].map((passkeyName) => ({ payload: { ...ada, passkeyName } })),
  identity_linked: ['Google', unclear].map((connectionName) => ({ payload: { ...ada, connectionName } })),
  identity_unlinked: ['Google', unclear].map((connectionName) => ({ payload: { ...ada, connectionName } })),
  identity_reclaimed: ['Google', unclear].map((connectionName) => ({ payload: { ...ada, connectionName } })),
  factor_added: ['Phone', unclear].map((factorName) => ({ payload: { ...ada, factorName } })),
  factor_removed: ['Phone', unclear].map((factorName) => ({ payload: { ...ada, factorName } })),
  factors_reset: [{ payload: ada }],
  trusted_device_added: [
    { payload: { ...ada, device: 'Chrome on macOS', days: 30 } },
    { payload: { ...ada, device: unclear, days: 1 } },
    { payload: { ...ada, device: null, days: 90 } },
  ],
  recovery_code_used: [0, 1, 9].map((codesLeft) => ({ payload: { ...ada, codesLeft } })),
  api_key_created: [
    { payload: { ...ada, keyName: 'Nightly export', kind: 'PERSONAL' } },
    { payload: { ...ada, keyName: unclear, kind: 'COMPANY' } },
  ],
  api_key_expiring: ['Nightly export', unclear].map((keyName) => ({
    payload: { ...ada, keyName, keyHint: 'x9Zk' },
  })),
  wrong_codes: [{ payload: { ...ada, count: 5 } }],
  new_device: [
    { payload: { ...ada, device: 'Chrome on macOS', ipAddress: '203.0.113.7' } },
    { payload: { ...ada, device: null, ipAddress: null } },
    {
      payload: {
        ...ada,
        device: 'Chrome on macOS',
        ipAddress: '203.0.113.7',
        others: [
          { device: 'Firefox on Windows', ipAddress: '198.51.100.9', at: '2026-11-19T16:20:00Z' },
          { device: null, ipAddress: null, at: '2026-11-20T08:00:00Z' },
        ],
      },
    },
  ],
  acted_for: [
    { payload: { ...ada, by: null, seconds: 3600 } },
    { payload: { ...ada, by: 'Support of Example', seconds: 600 } },
    { payload: { ...ada, by: 'Click www.example.com', seconds: 600 } },
  ],
  webhook_disabled: [true, false].map((isGone) => ({
    payload: { ...ada, host: 'hooks.example.com', isGone },
  })),
  role_changed: [
    { payload: { ...ada, from: 'NONE', to: 'PLATFORM_ADMIN' } },
    { payload: { ...ada, from: 'PLATFORM_ADMIN', to: 'NONE' } },
    { payload: { ...ada, from: 'PLATFORM_ADMIN', to: 'PLATFORM_SUPERADMIN' } },
  ],
  mailed_sign_in: [
    {
      payload: { userId: 'u-1', ...ada, challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' },
      completion: { url, code: 'K7QM-2XWD', lifetime: 900 },
    },
  ],
  invitation: [
    { payload: invited, completion: week },
    { payload: { ...invited, companyName: null }, completion: week },
    {
      payload: { ...invited, inviterName: 'Ann Berg', role: 'MEMBER' },
      completion: { ...week, expiresAt },
    },
  ],
  password_reset: [{ payload: { userId: 'u-1', ...ada }, completion: { url, lifetime: 1_800 } }],
  email_verification: [
    verification,
    { ...verification, enables: false },
    { ...verification, enables: false, awaitsApproval: true, needsPassword: false },
    { ...verification, rejectionUrl: 'https://auth.example.com/reject-registration?token=lke_1' },
  ].map((completion) => ({ payload: { verificationId: 'v-1' }, completion })),
  email_change: [{ payload: { changeId: 'e-1' }, completion: day }],
  email_changed: [
    { payload: { changeId: 'e-1', ...ada, by: 'owner' }, completion: { undo: week } },
    { payload: { changeId: null, ...ada, by: 'administrator' }, completion: {} },
    { payload: { changeId: null, fullName: null, by: 'undo' }, completion: {} },
  ],
  account_deletion: [
    { payload: { userId: 'u-1', ...ada }, completion: { url, deleteAt: new Date('2026-11-27T14:05:00Z') } },
  ],
  approval_waiting: [1, 12].map((waiting) => ({ payload: {}, completion: { waiting } })),
};
