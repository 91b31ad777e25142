import type { Database, Transaction } from '@latchkey/core/internal/storage/database';
import type { Statement } from '@latchkey/core/internal/storage/statement';
import {
  INSERT_BUSINESS_UNITS,
  INSERT_DELEGATIONS,
  INSERT_MEMBERSHIPS,
  INSERT_MODULES,
  INSERT_PERMISSIONS,
  INSERT_RULES,
  LOCK_UNITS,
  OWNERS_OF_UNITS,
  SET_PRIMARY_APPROVERS,
  SET_PRIMARY_FINANCE_ADMINS,
} from './import-queries.js';
import type { BusinessUnitRow, MembershipRows } from './import-rows.js';

/** A membership of an import, and where to note what of it could not be written. */
interface PlacedMembership {
  readonly rows: MembershipRows;
  readonly note: (reason: string) => void;
}

/** The ids of rows that were written, and of those that became the primary one of their group. */
interface Written {
  readonly ids: ReadonlySet<string>;
  readonly primary: ReadonlySet<string>;
}

/** The written memberships of an import. */
export interface WrittenMemberships {
  readonly companies: readonly { rows: MembershipRows; isPrimary: boolean }[];
  readonly businessUnits: readonly { row: BusinessUnitRow; isPrimary: boolean }[];
}

const NOTHING_WRITTEN: Written = { ids: new Set(), primary: new Set() };

interface PlacedUnit {
  readonly row: BusinessUnitRow;
  readonly note: (reason: string) => void;
}

/** Adds memberships that a file has and the database has not. Those that exist stay as they are. */
export class MembershipImporter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Writes memberships of users whose rows the transaction has written or locked. */
  async write(memberships: readonly PlacedMembership[], trx: Transaction): Promise<WrittenMemberships> {
    if (memberships.length === 0) return { companies: [], businessUnits: [] };
    const rows = memberships.map((placed) => placed.rows.membership);
    const written = await this.#insertAll(INSERT_MEMBERSHIPS, rows, trx);
    const added = memberships.filter((placed) => written.has(placed.rows.id));
    for (const placed of memberships) {
      if (!written.has(placed.rows.id)) {
        placed.note(`memberships: the one of company ${placed.rows.companyId} exists and stays as it is`);
      }
    }
    const admins = await this.#setPrimary(SET_PRIMARY_FINANCE_ADMINS, primaryAdmins(added), trx);
    await this.#writeGrants(added, trx);
    const units = added.flatMap(unitsOf);
    const { ids, primary } = await this.#writeUnits(units, trx);
    return {
      companies: added.map(({ rows: each }) => ({ rows: each, isPrimary: admins.has(each.id) })),
      businessUnits: units
        .filter(({ row }) => ids.has(row.id))
        .map(({ row }) => ({ row, isPrimary: primary.has(row.id) })),
    };
  }

  async #writeGrants(added: readonly PlacedMembership[], trx: Transaction): Promise<void> {
    const rows = added.map((placed) => placed.rows);
    const delegations = rows.flatMap(({ delegation }) => (delegation === undefined ? [] : [delegation]));
    await this.#insertAll(
      INSERT_MODULES,
      rows.flatMap(({ modules }) => modules),
      trx,
    );
    await this.#insertAll(
      INSERT_PERMISSIONS,
      rows.flatMap(({ permissions }) => permissions),
      trx,
    );
    await this.#insertAll(INSERT_DELEGATIONS, delegations, trx);
    await this.#insertAll(
      INSERT_RULES,
      rows.flatMap(({ rules }) => rules),
      trx,
    );
  }

  async #writeUnits(units: readonly PlacedUnit[], trx: Transaction): Promise<Written> {
    if (units.length === 0) return NOTHING_WRITTEN;
    const owned = await this.#ownUnits(units, trx);
    const written = await this.#insertAll(
      INSERT_BUSINESS_UNITS,
      owned.map(({ row }) => row),
      trx,
    );
    const approvers = owned.filter(({ row }) => row.is_primary_approver && written.has(row.id));
    const groups = approvers.map((unit) => ({ ...unit, id: unit.row.id, group: unit.row.business_unit_id }));
    return { ids: written, primary: await this.#setPrimary(SET_PRIMARY_APPROVERS, groups, trx) };
  }

  /** Returns the units that belong to the company of their membership: a unit belongs to the company that used it first. */
  async #ownUnits(units: readonly PlacedUnit[], trx: Transaction): Promise<PlacedUnit[]> {
    const ids = [...new Set(units.map(({ row }) => row.business_unit_id))];
    await this.#database.query(LOCK_UNITS, [ids], trx);
    const owners = new Map(
      (
        await this.#database.query<{ business_unit_id: string; company_id: string }>(
          OWNERS_OF_UNITS,
          [ids],
          trx,
        )
      ).map((row) => [row.business_unit_id, row.company_id]),
    );
    return units.filter(({ row, note }) => {
      const owner = owners.get(row.business_unit_id) ?? row.company_id;
      owners.set(row.business_unit_id, owner);
      if (owner === row.company_id) return true;
      note(`memberships.businessUnits: ${row.business_unit_id} belongs to another company`);
      return false;
    });
  }

  /** Makes the first of each group the primary one, if the group has none. Returns the ids of those. */
  async #setPrimary(
    set: Statement,
    candidates: readonly { id: string; group: string; note: (reason: string) => void }[],
    trx: Transaction,
  ): Promise<ReadonlySet<string>> {
    if (candidates.length === 0) return NOTHING_WRITTEN.primary;
    const first = new Map<string, string>();
    for (const { id, group } of candidates) if (!first.has(group)) first.set(group, id);
    const rows = await this.#database.query<{ id: string }>(set, [[...first.values()]], trx);
    const done = new Set(rows.map(({ id }) => id));
    for (const { id, group, note } of candidates) {
      if (!done.has(id)) note(`memberships: ${group} has a primary person already`);
    }
    return done;
  }

  async #insertAll(insert: Statement, rows: readonly object[], trx: Transaction): Promise<Set<string>> {
    if (rows.length === 0) return new Set();
    const written = await this.#database.query<{ id: string }>(insert, [JSON.stringify(rows)], trx);
    return new Set(written.map(({ id }) => id));
  }
}

const unitsOf = ({ rows, note }: PlacedMembership): PlacedUnit[] =>
  rows.businessUnits.map((row) => ({ row, note }));

const primaryAdmins = (added: readonly PlacedMembership[]) =>
  added
    .filter(({ rows }) => rows.isPrimaryFinanceAdmin)
    .map(({ rows, note }) => ({ id: rows.id, group: rows.companyId, note }));
