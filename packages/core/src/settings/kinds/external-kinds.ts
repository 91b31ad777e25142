import { z } from 'zod';
import { isLocalHost } from '../../kernel/local-host.js';
import { EXTERNAL_PROVIDER_TYPES, type ExternalProviderSettings } from '../external-provider-settings.js';
import { quote } from '../quote.js';
import { readJsonText } from './json-text.js';
import { type SettingKind, kindOf, Problem, readList } from './setting-kind.js';

const LABELS = { google: 'Google', microsoft: 'Microsoft', github: 'GitHub', oidc: undefined } as const;

const SHARED_TENANTS = ['common', 'organizations', 'consumers'];
const TENANT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const word = (message: string, pattern: RegExp) =>
  z.string({ error: message }).regex(pattern, { error: message });
const yesOrNo = z.boolean({ error: 'must be true or false' }).default(false);

const FIELDS =
  'id, type, clientId, clientSecret, privateKeyFile, issuer, tenant, scopes, trustsFactors, reauthenticates, label';

const providerSchema = z
  .strictObject(
    {
      id: word('must be 1 to 40 lower-case letters, digits or hyphens', /^[a-z0-9][a-z0-9-]{0,39}$/),
      type: z.enum(EXTERNAL_PROVIDER_TYPES, {
        error: `must be one of ${EXTERNAL_PROVIDER_TYPES.join(', ')}`,
      }),
      clientId: word('must be text without spaces', /^[\x21-\x7e]{1,512}$/),
      clientSecret: word('must be printable ASCII characters', /^[\x20-\x7e]{1,1024}$/).optional(),
      privateKeyFile: word('must be a path', /\S/).optional(),
      issuer: z
        .string({ error: 'must be an address' })
        .refine(isIssuer, { error: 'must be an https address without query; http only for this machine' })
        .refine((text) => !text.includes('/.well-known/'), {
          error: 'must end before /.well-known/: it is the address that the provider calls its issuer',
        })
        .optional(),
      tenant: z
        .string({ error: 'must be text' })
        .toLowerCase()
        .refine((text) => SHARED_TENANTS.includes(text) || TENANT_ID.test(text), {
          error: `must be the id of a tenant (its name does not do), or one of ${SHARED_TENANTS.join(', ')}`,
        })
        .optional(),
      // RFC 6749, section 3.3: the characters of a scope.
      scopes: z
        .array(word('must be text without spaces', /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/), {
          error: 'must be a list',
        })
        .max(20, { error: 'must have at most 20 entries' })
        .optional(),
      trustsFactors: yesOrNo,
      reauthenticates: yesOrNo,
      label: word(
        'must be 1 to 40 characters on one line',
        /^(?=.*\S)[^\p{Cc}\p{Cs}\u2028\u2029]{1,40}$/u,
      ).optional(),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `has a field that is unknown (there are ${FIELDS})`
          : 'must be an object',
    },
  )
  .superRefine(
    (
      { type, clientSecret, privateKeyFile, issuer, tenant, scopes, trustsFactors, reauthenticates },
      context,
    ) => {
      const report = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });
      if ((clientSecret === undefined) === (privateKeyFile === undefined))
        report('clientSecret', 'or privateKeyFile must be given, but not both');
      if (type === 'oidc' && issuer === undefined) report('issuer', 'must be given for the type oidc');
      if (type === 'github' && issuer !== undefined) report('issuer', 'does not exist for the type github');
      if (type !== 'microsoft' && tenant !== undefined)
        report('tenant', 'exists for the type microsoft only');
      // Without it there is no ID token, and no sign-in succeeds (OpenID Connect Core 1.0, section 3.1.2.1).
      if (type !== 'github' && scopes?.includes('openid') === false) report('scopes', 'must contain openid');
      if (type !== 'github') return;
      if (privateKeyFile !== undefined) report('privateKeyFile', 'does not exist for the type github');
      if (trustsFactors || reauthenticates)
        report('type', 'github says nothing about factors and the time of a sign-in');
    },
  )
  .transform(({ label, ...provider }): ExternalProviderSettings => ({
    ...provider,
    label: label ?? LABELS[provider.type] ?? provider.id,
  }));

const providerListSchema = z
  .array(providerSchema, { error: 'must be a list of providers' })
  .min(1, { error: 'must have a provider' })
  .max(20, { error: 'must have at most 20 providers' });

/** The services by which users can sign in. */
export const externalProviders: SettingKind<ExternalProviderSettings[]> = kindOf(
  'JSON such as [{"id":"google","type":"google","clientId":"…","clientSecret":"…"}]',
  (text) => {
    const parsed = readJsonText(text);
    if (parsed instanceof Problem) return parsed;
    const result = providerListSchema.safeParse(parsed);
    if (!result.success) return new Problem(result.error.issues.slice(0, 5).map(wordsOf).join('; '));
    const ids = new Set(result.data.map(({ id }) => id));
    return ids.size === result.data.length ? result.data : new Problem('two providers share an id');
  },
);

/** Addresses of front ends that take the responses of providers, to which the id of the connection is appended. */
export const redirectUriList: SettingKind<string[]> = kindOf(
  'comma-separated addresses such as https://app.example.com/callback, without query; a scheme of an app is allowed',
  (text) =>
    readList(text, (part) =>
      isRedirectBase(part)
        ? canonical(part).replace(/\/+$/, '')
        : new Problem(`${quote(part)} cannot take a response`),
    ),
);

function isRedirectBase(text: string): boolean {
  if (/[?#\s\\]/.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'http:') return isLocalHost(url.hostname);
  // A private scheme has a dot in it, which no scheme of browsers has (RFC 8252, section 7.1).
  return url.protocol === 'https:' || /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(url.protocol);
}

/** Spells the host as browsers do. Addresses of apps stay as they are: their schemes have no hosts. */
const canonical = (text: string): string => (/^https?:/i.test(text) ? new URL(text).href : text);

function isIssuer(text: string): boolean {
  if (/[?#\s]/.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(url.hostname));
}

/** Paths contain only field names of the schema and indexes, never the given text. */
function wordsOf({ path: [provider, ...rest], message }: z.core.$ZodIssue): string {
  const labels = rest.map((part) => (typeof part === 'number' ? `entry ${part + 1}` : String(part)));
  const where = typeof provider === 'number' ? [`provider ${provider + 1}`, ...labels] : ['the text'];
  return `${where.join(' ')} ${message}`;
}
