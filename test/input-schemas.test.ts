import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  businessUnitMembershipKeyInput,
  invitationFilter,
  passwordToSetInput,
  sessionFilter,
} from '@latchkey/core/schemas';
import { allRoutes } from '@latchkey/express-adapter';
import { nameOf } from './support/route-request.js';

const named = (name: string, schema: z.ZodType | undefined): [string, z.ZodObject][] =>
  schema instanceof z.ZodObject && fieldsOf(schema).length > 0 ? [[name, schema]] : [];

const fieldsOf = (schema: z.ZodObject): string[] => Object.keys(schema.shape);

/** Schemas that are checked twice for a request: once at the edge, once by the use case. */
const SCHEMAS: readonly [name: string, schema: z.ZodObject][] = [
  ...allRoutes.flatMap((route) => [
    ...named(`body of ${nameOf(route)}`, route.body),
    ...named(`query of ${nameOf(route)}`, route.query),
    ...named(`path of ${nameOf(route)}`, route.params),
  ]),
  ...named('a filter of invitations', invitationFilter),
  ...named('a filter of sessions', sessionFilter),
  ...named('a password that is set', passwordToSetInput),
  ...named('a place in a business unit', businessUnitMembershipKeyInput),
];

/** Returns the same text in capitals and with spaces around. */
const inAnySpelling = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.constantFrom('', ' ', '\t'), fc.boolean())
    .map(([value, space, isLoud]) => space + (isLoud ? value.toUpperCase() : value) + space);

const uuid = fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase()));
const key = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,9}$/);
const keys = fc.array(fc.constantFrom('crm', 'CRM', 'hr', 'a.b:c')).map((list) => [...list, ...list]);
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const paddedText = text.map((value) => ` ${value}\u3000`);
const email = fc.oneof(
  inAnySpelling(fc.emailAddress()),
  fc.constantFrom(
    ' Ann@Example.COM ',
    'a+b@MÜNCHEN.de',
    'a@xn--mnchen-3ya.de',
    'x@faß.example',
    'q@ＥＸＡＭＰＬＥ.com',
  ),
);
const decimal = fc.constantFrom('0', '007', '10.50', '1.0000', null);
const duration = fc.stringMatching(/^\d{1,3}[smhd]?$/);
const delegation = fc.record(
  {
    canManageUsers: fc.boolean(),
    canBuyAddons: fc.boolean(),
    grantableModules: keys,
    grantablePermissions: keys,
  },
  { requiredKeys: [] },
);
const rule = fc.record({
  moduleKey: key,
  effect: fc.constantFrom('GRANT', 'DENY'),
  source: fc.constant('TEAM'),
  teamId: uuid,
});
const encoded = fc.base64String();
const credential = fc.record({
  id: encoded,
  rawId: encoded,
  type: fc.constant('public-key'),
  response: fc.record({
    clientDataJSON: encoded,
    attestationObject: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: fc.constantFrom('AAAA', null, undefined),
    transports: fc.constantFrom(['usb'], undefined),
  }),
});

const verifier = fc.stringMatching(/^[A-Za-z0-9._~-]{43,60}$/);

/** Values of each field that its schema accepts, most of them in a spelling that it changes. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  after: fc.stringMatching(/^[\w-]{1,80}$/),
  wait: fc.constantFrom('0', '25', '007', 3),
  accountType: fc.constantFrom('', 'internal', 'auto', 'vendor'),
  actedByUserId: uuid,
  actor: paddedText,
  actorSessionId: uuid,
  actorUserId: uuid,
  approvalLimit: decimal,
  approvalStatus: fc.constantFrom('PENDING', 'APPROVED', 'REJECTED'),
  audience: text,
  authProvider: fc.constantFrom('password', 'google'),
  businessUnitId: uuid,
  clientId: text,
  clientSecret: text,
  code: text,
  companyId: uuid,
  content: fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  pictureId: fc.stringMatching(/^[0-9a-f]{32}$/),
  credential,
  apiKey: text,
  currentPassword: text,
  expiresIn: fc.option(fc.oneof(fc.integer({ min: -1, max: 400 * 86_400 }), duration)),
  minutes: fc.integer({ min: 0, max: 721 }),
  modules: keys,
  overlap: fc.oneof(fc.integer({ min: -1, max: 86_401 }), duration),
  permissions: keys,
  // As long as the S256 of a verifier, which a challenge of a sign-in may be, too.
  challenge: fc.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  connectionId: fc.constantFrom('google', 'plain'),
  cursor: text,
  delegation,
  deliveryId: uuid,
  description: paddedText,
  email,
  newEmail: email,
  error: fc.constantFrom('access_denied', 'server_error'),
  external: fc.record({ state: text, code: text, verifier }),
  iss: fc.constantFrom('https://accounts.google.com', 'https://EXAMPLE.com/'),
  loginHint: text,
  logout_token: text,
  purpose: fc.constantFrom('sign-in', 'link', 'step-up'),
  redirectUri: text,
  returnTo: text,
  verifier,
  event: fc.constantFrom('login', 'logout'),
  events: fc.constantFrom(['*'], ['user.created', 'user.created', 'user.erased']),
  explain: fc.constantFrom('true', 'false', true, false),
  financeRole: fc.constantFrom('SUBMITTER', 'APPROVER', null),
  from: fc.constantFrom('2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456+02:00', new Date(0)),
  fullName: paddedText,
  globalRole: fc.constantFrom('NONE', 'PLATFORM_ADMIN'),
  id: uuid,
  ids: fc.array(uuid, { minLength: 1, maxLength: 3 }).map((list) => list.join(',')),
  isActive: fc.boolean(),
  key: fc.constantFrom('MEMBER', 'ACCOUNTANT'),
  kind: fc.constantFrom('password_reset', 'invitation'),
  isPrimaryApprover: fc.boolean(),
  isPrimaryFinanceAdmin: fc.boolean(),
  legacyIds: fc.dictionary(fc.stringMatching(/^[a-z]{1,9}$/), text, { maxKeys: 5 }),
  locale: fc.constantFrom('', 'de'),
  limit: fc.constantFrom('1', '50', '99999999', 7, 5_000),
  days: fc.constantFrom('1', '90', '91', 14),
  metadata: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
  module: key,
  moduleGrants: keys,
  moveTo: fc.constantFrom('MEMBER', 'ACCOUNTANT'),
  moduleRules: fc.array(rule, { maxLength: 3 }),
  name: paddedText,
  newPassword: text,
  offset: fc.constantFrom('0', '7', 12),
  outcome: fc.constantFrom('success', 'denied'),
  passkeyId: uuid,
  keyId: uuid,
  password: paddedText,
  permissionGrants: keys,
  phoneNumber: fc.constantFrom('', '12345'),
  phonePrefix: fc.constantFrom('', '+49'),
  profilePictureUrl: fc.constantFrom('', 'https://EXAMPLE.com/a?b#c'),
  raw: paddedText,
  reason: paddedText,
  recoveryCode: text,
  refreshToken: text,
  removePasskeys: fc.boolean(),
  trustDevice: fc.boolean(),
  role: fc.constantFrom('ADMIN', 'MEMBER'),
  scope: text,
  search: paddedText,
  sort: fc.constantFrom('-createdAt', 'email', 'fullName'),
  ipAddress: fc.constantFrom(
    '192.0.2.1',
    ' 192.0.2.9/20',
    '2001:DB8:0::/48',
    '::ffff:192.0.2.1',
    '2001:db8::1',
  ),
  sessionId: uuid,
  status: fc.constantFrom('PENDING', 'EXPIRED'),
  subjectUserId: uuid,
  state: fc.constantFrom('waiting', 'failed'),
  tail: fc.constantFrom('true', 'false', true, false),
  to: fc.constantFrom('2026-01-31T12:00:00Z', new Date()),
  token: text,
  url: fc.constantFrom('https://hooks.example.com/a', 'https://EXAMPLE.com'),
  userId: uuid,
  version: fc.constantFrom(1, 7),
};

/** Fields by the values that fit them; optional ones are sometimes missing. */
function inputsOf(schema: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  if (schema.meta()?.maxProperties === 1) return oneFieldOf(schema);
  const values = Object.fromEntries(
    fieldsOf(schema).map((field) => [field, VALUES[field] ?? fc.constant(undefined)]),
  );
  return fc.record(values, { requiredKeys: fieldsOf(schema).filter((field) => !isOptional(schema, field)) });
}

const oneFieldOf = (schema: z.ZodObject): fc.Arbitrary<Record<string, unknown>> =>
  fc.oneof(
    ...fieldsOf(schema).map((field) => fc.record({ [field]: VALUES[field] ?? fc.constant(undefined) })),
  );

const isOptional = (schema: z.ZodObject, field: string): boolean =>
  (schema.shape[field] as z.ZodType).safeParse(undefined).success;

it('every field of every schema has values to try', () => {
  const fields = new Set(SCHEMAS.flatMap(([, schema]) => fieldsOf(schema)));
  expect([...fields].filter((field) => !(field in VALUES)).toSorted()).toEqual([]);
  expect(Object.keys(VALUES).filter((field) => !fields.has(field))).toEqual([]);
});

describe('schemas checked twice', () => {
  it.each(SCHEMAS)('a value that %s accepted is accepted unchanged a second time', (_name, schema) => {
    fc.assert(
      fc.property(inputsOf(schema), (input) => {
        const once = schema.safeParse(input);
        // Rejected values do not count as runs: a schema that accepts hardly any fails for too many of them.
        fc.pre(once.success);
        expect(schema.parse(once.data)).toStrictEqual(once.data);
      }),
      { numRuns: 200, maxSkipsPerRun: 20 },
    );
  });
});
