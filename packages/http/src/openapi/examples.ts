import { z } from 'zod';
import {
  companyAuditEntryView,
  companyDetailsView,
  emailChangePreview,
  listedRole,
  profilePictureInput,
  profilePictureView,
  removedRole,
  removedTrustedDevices,
  removePictureInput,
  replayedWebhook,
  rolePreview,
  savedRole,
  trustedDeviceView,
  verificationPreview,
  webhookDeliveryView,
  webhookView,
  webhookWithSecret,
} from '@latchkey/core/schemas';
import { ANSWER_EXAMPLES } from './answer-examples.js';
import { API_KEY_EXAMPLES } from './api-key-examples.js';
import { BODY_EXAMPLES } from './body-examples.js';
import { COMPANY_ID, EMAIL, example, USER_ID } from './example.js';
import { EXTERNAL_EXAMPLES } from './external-examples.js';
import type { JsonSchema } from './json-schema.js';
import { OPERATIONS_EXAMPLES } from './operations-examples.js';
import { PERSONAL_DATA_EXAMPLES } from './personal-data-examples.js';

const webhook = {
  id: '01a1f915-0000-7000-8000-000000000001',
  companyId: null,
  url: 'https://hooks.example.com/latchkey',
  events: ['user.created', 'user.erased'],
  description: 'CRM',
  isActive: true,
  disabledReason: null,
  failingSince: null,
  formerSecretUntil: null,
  createdAt: '2026-11-20T13:09:18.235Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
};

/** Examples of the responses about webhooks. */
const WEBHOOK_EXAMPLES = [
  example(webhookView, webhook),
  example(webhookWithSecret, { webhook, secret: 'whsec_C2FVsBQIhrscChlQ…' }),
  example(webhookDeliveryView, {
    id: '01a1f915-0000-7000-8000-000000000002',
    event: 'user.created',
    auditId: '01a1f915-0000-7000-8000-000000000003',
    status: 'PENDING',
    attempts: 2,
    nextAttemptAt: '2026-11-21T09:00:00.000Z',
    lastStatus: 503,
    lastError: 'status',
    createdAt: '2026-11-21T08:30:00.000Z',
    endedAt: null,
  }),
  example(replayedWebhook, { queued: 42 }),
];

/** Examples of the responses for administrators of a company. */
const COMPANY_EXAMPLES = [
  example(companyDetailsView, {
    id: COMPANY_ID,
    name: 'Northwind Freight',
    modules: ['invoices', 'reports'],
    permissions: ['invoices:approve', 'invoices:read'],
    accessPolicyMode: 'ENFORCED',
    requiresSecondFactor: false,
    counts: { activeMembers: 42, openInvitations: 3 },
  }),
  example(companyAuditEntryView, {
    id: '01a1f917-0000-7000-8000-000000000007',
    occurredAt: '2026-11-20T13:09:18.235Z',
    event: 'invitation_created',
    outcome: 'success',
    actor: 'user',
    actorUserId: USER_ID,
    subjectUserId: null,
    companyId: COMPANY_ID,
    sessionId: '01a1f913-5d14-7023-b417-5c4708406d9b',
    ipAddress: '192.0.2.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    requestId: '6f1c0a8e-8d1b-4c7e-9a52-0f6f2b8f1d12',
    details: { role: 'MEMBER' },
    actedByUserId: null,
    actedByName: null,
    actorName: 'Ann Berg',
    subjectName: null,
  }),
];

const role = {
  key: 'ACCOUNTANT',
  name: 'Accountant',
  description: 'Keeps the books.',
  modules: ['invoices'],
  permissions: ['invoices:approve'],
  delegation: { canManageUsers: false, canBuyAddons: false, grantableModules: [], grantablePermissions: [] },
  version: 2,
  isTemplate: false,
  companyId: COMPANY_ID,
  createdAt: '2026-11-20T13:09:18.235Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
};
const none = { modules: [], permissions: [], delegation: [] };

/** Examples of the responses about definitions of roles. */
const ROLE_EXAMPLES = [
  example(savedRole, { ...role, isNew: false }),
  example(listedRole, { ...role, members: 12 }),
  example(rolePreview, {
    members: [{ userId: USER_ID, gained: { ...none, modules: ['invoices'] }, lost: none }],
    total: 1,
    isTotalExact: true,
    fallsBackToTemplate: false,
  }),
  example(removedRole, { moved: 12 }),
];

/** Examples of the responses about trusted devices. */
const TRUSTED_DEVICE_EXAMPLES = [
  example(trustedDeviceView, {
    id: '01a1f913-5d14-7023-b417-5c4708406dd1',
    label: 'Chrome on macOS',
    ipAddress: '203.0.113.7',
    createdAt: '2026-11-20T13:09:18.235Z',
    lastUsedAt: '2026-11-21T08:30:00.000Z',
    expiresAt: '2026-12-20T13:09:18.235Z',
  }),
  example(removedTrustedDevices, { status: 'ok', removed: 2 }),
];

/** Examples of the bodies and responses of pictures. The content is a whole picture. */
const PICTURE_EXAMPLES = [
  example(profilePictureInput, {
    content:
      'UklGRlgAAABXRUJQVlA4TEwAAAAvJ8AHEB8gJCDs9D/yR0iQQharQCDZHyiFtQQERc+ZHoi+9EBNG0mOSS7JI/mpi3VE/wUERRN4AQAAAACgtdbaQVWV5AdWhSQb7NsB',
  }),
  example(profilePictureView, {
    profilePictureUrl: 'https://auth.example.com/auth/pictures/5f0c6a1d9be24c77a3d81e90b2f4c615',
    contentType: 'image/webp',
    width: 40,
    height: 32,
  }),
  example(removePictureInput, { reason: 'Shows another person' }),
];

/** Examples of what mailed links are about. */
const MAILED_LINK_EXAMPLES = [
  example(emailChangePreview, { email: 'ann.new@example.com', currentEmail: 'a•••@example.com' }),
  example(verificationPreview, { email: EMAIL }),
];

const EXAMPLES = new Map<z.ZodType, unknown>([
  ...BODY_EXAMPLES,
  ...ANSWER_EXAMPLES,
  ...OPERATIONS_EXAMPLES,
  ...PERSONAL_DATA_EXAMPLES,
  ...API_KEY_EXAMPLES,
  ...COMPANY_EXAMPLES,
  ...EXTERNAL_EXAMPLES,
  ...MAILED_LINK_EXAMPLES,
  ...PICTURE_EXAMPLES,
  ...ROLE_EXAMPLES,
  ...TRUSTED_DEVICE_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
]);

/**
 * Returns the example of a schema: a listed one, otherwise the one in its metadata, otherwise that of its elements.
 * @throws TypeError for a schema without an example.
 */
export function exampleOf(schema: z.ZodType): unknown {
  const { id = 'a schema', examples } = schema.meta() ?? {};
  const known: unknown = EXAMPLES.get(schema) ?? (examples as unknown[] | undefined)?.[0];
  if (known !== undefined) return known;
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element as z.ZodType)];
  if (schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0) return {};
  throw new TypeError(
    `There is no example of ${id}: add "examples" to the meta() of its schema, or one to openapi/answer-examples.ts or body-examples.ts.`,
  );
}

/** Returns the examples of a media type: one, or one for each variant of a union. */
export function examplesOf(schema: z.ZodType, wrap = (value: unknown): unknown => value): JsonSchema {
  if (!(schema instanceof z.ZodUnion)) return { example: wrap(exampleOf(schema)) };
  const forms = schema.options as z.ZodType[];
  const named = forms.map((form) => [form.meta()?.id ?? 'other', { value: wrap(exampleOf(form)) }] as const);
  return { examples: Object.fromEntries(named) };
}
