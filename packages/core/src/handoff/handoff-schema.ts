import { z } from 'zod';
import { tokenPair } from '../sessions/session-schema.js';

/**
 * A single-use code that creates a session in another client.
 * @example
 * ```ts
 * handoffCode.parse({ code: 'abc', expiresIn: 60, userId: 'none of the reader' }); // → { code: 'abc', expiresIn: 60 }
 * ```
 */
export const handoffCode = z
  .object({
    code: z.string(),
    /** Seconds until the code expires. */
    expiresIn: z.int(),
  })
  .meta({ id: 'HandoffCode' });
/**
 * A single-use code and its lifetime in seconds.
 * @example
 * ```ts
 * const linkTo = (app: string, { code }: HandoffCode): string => `${app}/enter#code=${code}`;
 * const { accessToken, companyId = '' } = await kit.user({ company: 'acme' });
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const link = linkTo('https://app.example.com', await kit.auth.handoff.create(caller, companyId));
 * link.startsWith('https://app.example.com/enter#code='); // → true
 * ```
 */
export type HandoffCode = z.output<typeof handoffCode>;

/**
 * Input of the exchange of a hand-off code.
 * @example
 * ```ts
 * exchangeHandoffInput.safeParse({ code: '' }).success; // → false
 * ```
 */
export const exchangeHandoffInput = z.object({ code: z.string().min(1).max(200) });

/**
 * Tokens of an exchanged hand-off code, with its company.
 * @example
 * ```ts
 * const tokens = { accessToken: 'a', refreshToken: 'r', expiresIn: 900, tokenType: 'Bearer' };
 * handoffTokens.safeParse(tokens).error?.issues[0]?.path; // → ['organizationId']
 * ```
 */
export const handoffTokens = tokenPair.extend({ organizationId: z.guid() }).meta({ id: 'HandoffTokens' });
/**
 * Tokens of a session that a hand-off has created, with its company.
 * @example
 * ```ts
 * const { accessToken, companyId = '' } = await kit.user({ company: 'acme' });
 * const caller = await kit.auth.authenticator.authenticate(accessToken);
 * const { code } = await kit.auth.handoff.create(caller, companyId);
 * const tokens: HandoffTokens = await kit.auth.handoff.exchange(code);
 * tokens.organizationId === companyId; // → true
 * ```
 */
export type HandoffTokens = z.output<typeof handoffTokens>;
