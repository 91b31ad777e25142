import { isPlainName } from '../kernel/plain-name.js';
import { statement, type Database, type Transaction } from '../storage/database.js';

const LEARN_FROM_ENTITLEMENTS = statement(
  'known_company_learn_entitled',
  `UPDATE known_companies
   SET name = $2, search_name = $3, name_source = 'entitlements', named_by_user_id = NULL
   WHERE company_id = $1 AND (name_source = 'entitlements' AND name = $2) IS NOT TRUE`,
);

const LEARN_FROM_INVITATION = statement(
  'known_company_learn_invited',
  `UPDATE known_companies
   SET name = $2, search_name = $3, name_source = 'invitation', named_by_user_id = $4
   WHERE company_id = $1 AND name_source IS DISTINCT FROM 'entitlements' AND name IS DISTINCT FROM $2`,
);

const ENTITLED_NAME = statement(
  'known_company_entitled_name',
  `SELECT name FROM known_companies WHERE company_id = $1 AND name_source = 'entitlements'`,
);

const FORGET = statement(
  'known_company_forget_names',
  `UPDATE known_companies SET name = NULL, search_name = '', name_source = NULL, named_by_user_id = NULL
   WHERE named_by_user_id = $1 OR (name_source = 'invitation' AND company_id = ANY ($2::uuid[]))
   RETURNING company_id AS "companyId"`,
);

/** The latest name in an invitation of each of these companies. */
const LATEST_NAMES = statement(
  'known_company_latest_names',
  `SELECT companies.id AS "companyId", named.name, named.invited_by_user_id AS "invitedByUserId"
   FROM unnest($1::uuid[]) AS companies (id)
   CROSS JOIN LATERAL (
     SELECT metadata->>'companyName' AS name, invited_by_user_id FROM invitations
     WHERE company_id = companies.id AND jsonb_typeof(metadata->'companyName') = 'string'
     ORDER BY created_at DESC, id DESC LIMIT 1) AS named`,
);

/** Names the companies that members and invitations have; triggers of the database add these companies. */
export class KnownCompanyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Keeps the name that the entitlements of a company have. It takes precedence over those of invitations. */
  async learnFromEntitlements(companyId: string, name: string): Promise<void> {
    await this.#database.query(LEARN_FROM_ENTITLEMENTS, [companyId, name, searchNameOf(name)]);
  }

  /** Returns the name that the entitlements of a company have, if it is known. */
  async entitledName(companyId: string, trx?: Transaction): Promise<string | undefined> {
    const [row] = await this.#database.query<{ name: string }>(ENTITLED_NAME, [companyId], trx);
    return row?.name;
  }

  /** Keeps the name in an invitation, unless the entitlements have one. The row is locked only if it changes. */
  async learnFromInvitation(
    companyId: string,
    { name, invitedByUserId }: { name: string; invitedByUserId: string | null },
    trx: Transaction,
  ): Promise<void> {
    const values = [companyId, name, searchNameOf(name), invitedByUserId];
    await this.#database.query(LEARN_FROM_INVITATION, values, trx);
  }

  /**
   * Forgets the names in invitations by this user, whose metadata is removed, and in those to the user, which were removed
   * from these companies. The latest invitation that is left names a company again.
   */
  async forgetNames(
    { userId, companyIds }: { userId: string; companyIds: readonly string[] },
    trx: Transaction,
  ): Promise<void> {
    const forgotten = await this.#database.query<{ companyId: string }>(FORGET, [userId, companyIds], trx);
    if (forgotten.length === 0) return;
    const ids = forgotten.map(({ companyId }) => companyId);
    const latest = await this.#database.query<{
      companyId: string;
      name: string;
      invitedByUserId: string | null;
    }>(LATEST_NAMES, [ids], trx);
    for (const { companyId, ...named } of latest) {
      if (isPlainName(named.name)) await this.learnFromInvitation(companyId, named, trx);
    }
  }
}

/** Returns a name in the spelling in which searches compare names. */
export const searchNameOf = (name: string): string => name.normalize('NFC').toLowerCase();
