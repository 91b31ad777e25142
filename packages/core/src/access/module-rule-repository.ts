import { Batcher } from '../kernel/batcher.js';
import { toDecidingRules, type DecidingRuleRow } from '../memberships/membership-row.js';
import type { DecidingRule, DecidingRules, ModuleRule } from '../memberships/membership.js';
import { idBatch, statement, type Database } from '../storage/database.js';

const OF_MEMBERSHIPS = statement(
  'module_rules_of_memberships',
  `SELECT membership_id, module_key, effect FROM membership_module_rules WHERE membership_id = ANY(${idBatch('$1')})`,
);

const DETAILS = statement(
  'module_rules_in_full',
  `SELECT module_key, effect, source, team_id FROM membership_module_rules WHERE membership_id = $1
   ORDER BY module_key, effect, source, team_id`,
);

/** The rules that decide under the ENFORCED access policy. */
export class ModuleRuleRepository {
  readonly #database: Database;
  readonly #byMembership: Batcher<readonly DecidingRule[]>;

  constructor(database: Database) {
    this.#database = database;
    this.#byMembership = new Batcher((ids) => this.ofMemberships(ids));
  }

  /** Returns the rules of one membership, read by one query for all memberships that are asked for in the same turn. */
  async ofMembership(membershipId: string): Promise<readonly DecidingRule[]> {
    return (await this.#byMembership.load(membershipId)) ?? [];
  }

  /** Returns the rules by membership, in one query; a membership without rules is absent. */
  async ofMemberships(membershipIds: readonly string[]): Promise<DecidingRules> {
    if (membershipIds.length === 0) return new Map();
    return toDecidingRules(await this.#database.query<DecidingRuleRow>(OF_MEMBERSHIPS, [membershipIds]));
  }

  /** Returns the rules of one membership with their origins. */
  async inFull(membershipId: string): Promise<ModuleRule[]> {
    const rows = await this.#database.query<
      Omit<DecidingRuleRow, 'membership_id'> & { source: ModuleRule['source']; team_id: string | null }
    >(DETAILS, [membershipId]);
    return rows.map(({ module_key: moduleKey, effect, source, team_id: teamId }) => ({
      moduleKey,
      effect,
      source,
      ...(teamId !== null && { teamId }),
    }));
  }
}
