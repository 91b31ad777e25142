import type { ModuleRule } from '../memberships/membership.js';
import { statement, type Database } from '../storage/database.js';

interface RuleRow {
  membership_id: string;
  module_key: string;
  effect: ModuleRule['effect'];
}

const OF_MEMBERSHIPS = statement(
  'module_rules_of_memberships',
  'SELECT membership_id, module_key, effect FROM membership_module_rules WHERE membership_id = ANY($1::uuid[])',
);

/** A rule as the decision needs it: who made it does not count. */
export type DecidingRule = Pick<ModuleRule, 'moduleKey' | 'effect'>;

/** The rules that decide under the ENFORCED access policy. */
export class ModuleRuleRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By membership, in one query; a membership without rules is absent. */
  async ofMemberships(membershipIds: readonly string[]): Promise<Map<string, DecidingRule[]>> {
    if (membershipIds.length === 0) return new Map();
    const rows = await this.#database.query<RuleRow>(OF_MEMBERSHIPS, [membershipIds]);
    return rulesByMembership(rows);
  }
}

function rulesByMembership(rows: readonly RuleRow[]): Map<string, DecidingRule[]> {
  const rules = new Map<string, DecidingRule[]>();
  for (const { membership_id: id, module_key: moduleKey, effect } of rows) {
    const known = rules.get(id);
    if (known) known.push({ moduleKey, effect });
    else rules.set(id, [{ moduleKey, effect }]);
  }
  return rules;
}
