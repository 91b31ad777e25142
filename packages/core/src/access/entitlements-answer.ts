import { z } from 'zod';
import { isPlainName } from '../kernel/plain-name.js';
import { ACCESS_POLICY_MODES, type Entitlements } from './entitlements.js';

const keys = z.array(z.string().min(1).max(200));

const answer = z.object({
  modules: keys,
  accessPolicyMode: z.enum(ACCESS_POLICY_MODES).default('LEGACY'),
  permissions: keys.optional(),
  requireSecondFactor: z.boolean().default(false),
  name: z.unknown().optional(),
});

const envelope = z.object({ success: z.literal(true), data: answer });

/** The answer of an entitlement source for one company. */
export interface EntitlementsAnswer extends Omit<z.input<typeof answer>, 'name'> {
  /** Shown for the company. It grants nothing, so one that is no plain name of at most 80 characters is ignored. */
  name?: string | undefined;
}

/**
 * Parses an answer, with or without the envelope. Unknown fields are ignored; a known field that is invalid
 * is rejected and never repaired, since a dropped cap would widen access.
 * @throws ZodError
 */
export function readEntitlements(input: unknown): Entitlements {
  const { modules, accessPolicyMode, permissions, requireSecondFactor, name } = isEnvelope(input)
    ? envelope.parse(input).data
    : answer.parse(input);
  return {
    modules: new Set(modules),
    accessPolicyMode,
    permissions: permissions && new Set(permissions),
    requireSecondFactor,
    ...(typeof name === 'string' && isPlainName(name) && { name }),
  };
}

const isEnvelope = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'success' in input;
