import { statement, type Database, type Transaction } from '../storage/database.js';
import { toCount } from '../storage/postgres-types.js';

/** The person to be removed from the log. */
interface ErasedPerson {
  userId: string;
  /** Texts that identify the person. Details that contain one, whatever the case, are removed as a whole. */
  terms: readonly string[];
}

/** The result of removing a person from the log. */
interface ForgottenRows {
  /** Number of changed rows. */
  rows: number;
  /** The addresses that were removed. */
  ipAddresses: string[];
}

interface Position {
  occurredAt: string;
  id: string;
}

interface SliceRow extends Position {
  changed: string;
  seen: string;
  addresses: string[];
}

/** Rows that one statement reads: with all their indexes they are rewritten well within its time limit. */
const SLICE = 2_000;

const LAST: Position = { occurredAt: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Effective until the transaction ends; without it a trigger on the table rejects the change. */
const ALLOW = statement('audit_allow_erasure', "SELECT set_config('latchkey.audit_erasure', 'on', true)");

/** Address and user agent are those of the actor. Of an anonymous request they are taken for those of the subject. */
const IS_OWN =
  "(actor_user_id = $1 OR (acted_by_user_id = $1 AND actor = 'user') OR (actor_user_id IS NULL AND actor = 'anonymous'))";
const NAMES_PERSON =
  'EXISTS (SELECT FROM unnest($5::text[]) AS term WHERE strpos(lower(details::text), lower(term)) > 0)';
const ACTING_NAME_MATCHES =
  'EXISTS (SELECT FROM unnest($5::text[]) AS term WHERE strpos(lower(to_json(acted_by_name)::text), lower(term)) > 0)';
const HAS_REASON = "(subject_user_id = $1 AND details ? 'statedReason')";

/** Scans the rows of the person along one index, newest first, slice by slice. */
const forgetBy = (column: 'actor_user_id' | 'subject_user_id' | 'acted_by_user_id') =>
  statement(
    `audit_forget_by_${column}`,
    `WITH slice AS MATERIALIZED (
       SELECT id, occurred_at FROM auth_audit_logs
       WHERE ${column} = $1 AND (occurred_at, id) < ($2::timestamptz, $3::uuid)
       ORDER BY occurred_at DESC, id DESC LIMIT $4::int
     ), changed AS (
       UPDATE auth_audit_logs SET
         ip_address = CASE WHEN ${IS_OWN} THEN NULL ELSE ip_address END,
         user_agent = CASE WHEN ${IS_OWN} THEN NULL ELSE user_agent END,
         details = CASE WHEN ${NAMES_PERSON} THEN '{"erased": true}'
                        WHEN ${HAS_REASON} THEN details - 'statedReason' ELSE details END,
         acted_by_name = CASE WHEN ${ACTING_NAME_MATCHES} THEN '[erased]' ELSE acted_by_name END
       WHERE id = ANY(ARRAY(SELECT id FROM slice))
         AND ((${IS_OWN} AND (ip_address IS NOT NULL OR user_agent IS NOT NULL)) OR ${HAS_REASON} OR ${NAMES_PERSON}
           OR ${ACTING_NAME_MATCHES})
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM changed) AS changed, (SELECT count(*) FROM slice) AS seen,
       ARRAY(SELECT DISTINCT ip_address FROM auth_audit_logs
             WHERE id = ANY(ARRAY(SELECT id FROM slice)) AND ${IS_OWN} AND ip_address IS NOT NULL) AS addresses,
       last.occurred_at::text AS "occurredAt", last.id
     FROM (SELECT occurred_at, id FROM slice ORDER BY occurred_at, id LIMIT 1) AS last`,
  );

const SCANS = [forgetBy('actor_user_id'), forgetBy('subject_user_id'), forgetBy('acted_by_user_id')];

/**
 * Removes persons from the log: the only change of its rows. Ids, times, events and outcomes stay. A trigger rejects any other
 * change.
 */
export class AuditErasureRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Removes address and user agent from what the person did, also for other users, and from anonymous requests about them; reasons
   * that staff stated about them; details and names of actors that contain one of the terms. Reads the rows of this person only.
   */
  async forget({ userId, terms }: ErasedPerson, trx: Transaction): Promise<ForgottenRows> {
    await this.#database.query(ALLOW, [], trx);
    const addresses = new Set<string>();
    let rows = 0;
    for (const scan of SCANS) {
      let after: Position | undefined = LAST;
      while (after) {
        const values: unknown[] = [userId, after.occurredAt, after.id, SLICE, terms];
        const [slice]: SliceRow[] = await this.#database.query<SliceRow>(scan, values, trx);
        rows += toCount(slice?.changed);
        for (const address of slice?.addresses ?? []) addresses.add(address);
        after = toCount(slice?.seen) < SLICE ? undefined : slice;
      }
    }
    return { rows, ipAddresses: [...addresses] };
  }
}
