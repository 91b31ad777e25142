import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import { signedInUser, type SignedInTestUser } from './minted-token.js';
import type { TestService } from './service.js';
import type { NewTestUser } from './test-users.js';

export interface NewMembership {
  role?: string;
  active?: boolean;
  /** A business unit of the company in which the user has an active place, too. */
  unit?: string;
  user?: NewTestUser;
}

/** A company and one of its business units, with people straight from the database. */
export class TestCompany {
  readonly id = randomUUID();
  readonly unit = randomUUID();
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
  }

  /** A signed-in member of the company. */
  async member(place: NewMembership = {}): Promise<SignedInTestUser> {
    const user = await signedInUser(this.#service, place.user);
    await this.join(user.id, place);
    return user;
  }

  async join(userId: string, { role = 'MEMBER', active = true, unit }: NewMembership = {}): Promise<void> {
    await this.#service.sql(
      'INSERT INTO company_memberships (id, user_id, company_id, role, is_active) VALUES ($1, $2, $3, $4, $5)',
      [randomUUID(), userId, this.id, role, active],
    );
    if (unit === undefined) return;
    await this.#service.sql(
      'INSERT INTO business_unit_memberships (id, user_id, company_id, business_unit_id) VALUES ($1, $2, $3, $4)',
      [randomUUID(), userId, this.id, unit],
    );
  }

  /** A machine route below the company. */
  machine(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.#service.machine(method, `/internal/admin/companies/${this.id}${path}`, { body, headers });
  }

  /** A route for people below the company. */
  bearer(token: string | undefined, method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#service.api(method, `/internal/companies/${this.id}${path}`, { token, body });
  }

  /** Writes a membership by the machine route; gives the answer's data. */
  async upsert(body: object): Promise<Answer['data']> {
    const answer = await this.machine('POST', '/memberships', body);
    expect(answer.status, answer.text).toBe(200);
    return answer.data;
  }

  /** Every row about the company, to see that a refusal wrote nothing. */
  async rows(): Promise<unknown> {
    const { sql } = this.#service;
    const places = await sql('SELECT * FROM company_memberships WHERE company_id = $1 ORDER BY id', [
      this.id,
    ]);
    const units = await sql('SELECT * FROM business_unit_memberships WHERE company_id = $1 ORDER BY id', [
      this.id,
    ]);
    return { places, units };
  }

  /** The member's rules, as `module effect source`. */
  async rules(userId: string): Promise<string[]> {
    const rows = await this.#service.sql(
      `SELECT concat_ws(' ', r.module_key, r.effect, r.source) AS rule FROM membership_module_rules r
       JOIN company_memberships m ON m.id = r.membership_id
       WHERE m.company_id = $1 AND m.user_id = $2 ORDER BY 1`,
      [this.id, userId],
    );
    return rows.map(({ rule }) => String(rule));
  }

  /** Audit rows about the company, oldest first. */
  audit(): Promise<Record<string, unknown>[]> {
    return this.#service.sql('SELECT * FROM auth_audit_logs WHERE company_id = $1 ORDER BY occurred_at, id', [
      this.id,
    ]);
  }
}
