import type { PersonalData } from '@latchkey/core';
import { erasedUser, requestedDeletion, personalData } from '@latchkey/core/schemas';
import { EMAIL, example, FACTOR_ID, USER_ID } from './example.js';

const SESSION_ID = '01a1f913-5d14-7023-b417-5c4708406d9b';
const [created, changed] = ['2026-11-20T13:09:18.235Z', '2026-11-21T08:30:00.000Z'];
const client = { ipAddress: '192.0.2.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' };

const exported: PersonalData = {
  exportedAt: changed,
  profile: {
    id: USER_ID,
    email: EMAIL,
    fullName: 'Ann Berg',
    name: 'Ann Berg',
    globalRole: 'NONE',
    approvalStatus: 'APPROVED',
    authProvider: 'password',
    isActive: true,
    tokenVersion: 1,
    createdAt: created,
    updatedAt: changed,
    legacyIds: { crm: '4711' },
  },
  companyMemberships: [],
  businessUnitMemberships: [],
  sessions: [
    {
      id: SESSION_ID,
      origin: 'password',
      ...client,
      deviceName: 'Kitchen tablet',
      createdAt: created,
      lastUsedAt: changed,
      expiresAt: '2026-12-04T13:09:18.235Z',
      revokedAt: null,
      revokeReason: null,
      actor: null,
    },
  ],
  apiKeys: [],
  webhooks: [],
  linkedAccounts: [],
  passkeys: [],
  factors: [{ id: FACTOR_ID, kind: 'totp', name: 'Phone', createdAt: created }],
  recoveryCodesLeft: 9,
  devices: [{ firstUsedAt: created, lastUsedAt: changed, deviceName: null, ipAddress: null }],
  mails: [{ kind: 'factor_added', recipient: EMAIL, createdAt: created, sentAt: changed }],
  invitations: [],
  emailChanges: [],
  auditEntries: [
    {
      id: '01a1f917-0000-7000-8000-000000000007',
      occurredAt: created,
      event: 'login',
      outcome: 'success',
      actor: 'self',
      isActedFor: false,
      companyId: null,
      sessionId: SESSION_ID,
      ...client,
      details: { method: 'password' },
    },
  ],
  limits: { auditEntries: 5000, otherLists: 1000 },
  isComplete: true,
};

/** Examples of the responses about personal data. */
export const PERSONAL_DATA_EXAMPLES = [
  example(personalData, exported),
  example(requestedDeletion, { deleteAt: '2026-12-06T09:15:00.000Z' }),
  example(erasedUser, { status: 'ok', id: USER_ID, erasedAt: changed }),
];
