import { randomBytes } from 'node:crypto';
import { uuidv7 as newId } from 'uuidv7';
import type { Sql } from './service.js';

/** An instant, as seconds before now by the database's clock; negative ones lie ahead. */
export type Ago = number;

export interface PastSession {
  created?: Ago;
  expired: Ago;
  revoked?: Ago | undefined;
}

export interface PastInvitation {
  status: 'PENDING' | 'ACCEPTED' | 'CANCELLED' | 'EXPIRED';
  expired: Ago;
  /** Time at which it was accepted or cancelled. */
  closed?: Ago;
}

export interface PastMail {
  status: 'PENDING' | 'SENT' | 'SKIPPED' | 'DEAD';
  created: Ago;
  /** Time at which it was sent or last due. Defaults to the time at which it was queued. */
  ended?: Ago;
  kind?: 'password_changed' | 'password_reset';
}

export interface PastReset {
  created: Ago;
  expired: Ago;
  used?: Ago | undefined;
  revoked?: Ago | undefined;
}

export interface PastRow {
  table: string;
  id: string;
}

/** Rows that lie in the past, written as no service would write them: it cannot be made to wait for weeks. */
export class PastRows {
  readonly #sql: Sql;
  readonly #userId: string;

  constructor(sql: Sql, userId: string) {
    this.#sql = sql;
    this.#userId = userId;
  }

  async session({ expired, revoked, created }: PastSession): Promise<PastRow> {
    const fields = {
      user_id: this.#userId,
      selector_digest: randomBytes(32),
      secret_digest: randomBytes(32),
      origin: 'password',
      amr: ['pwd'],
      is_revoked: revoked !== undefined,
      revoke_reason: revoked === undefined ? null : 'logout',
    };
    const times = {
      created_at: created ?? Math.max(expired, revoked ?? 0) + 3600,
      expires_at: expired,
      revoked_at: revoked,
    };
    return this.#insert('sessions', fields, times);
  }

  async reset({ created, expired, used, revoked }: PastReset): Promise<PastRow> {
    const fields = { user_id: this.#userId, token_digest: randomBytes(32) };
    const times = { created_at: created, expires_at: expired, used_at: used, revoked_at: revoked };
    return this.#insert('password_reset_tokens', fields, times);
  }

  async invitation({ status, expired, closed = expired }: PastInvitation): Promise<PastRow> {
    const fields = { company_id: newId(), email: 'guest@example.com', status };
    const times = {
      created_at: Math.max(expired, closed) + 3600,
      expires_at: expired,
      accepted_at: status === 'ACCEPTED' ? closed : undefined,
      cancelled_at: status === 'CANCELLED' ? closed : undefined,
    };
    return this.#insert('invitations', fields, times);
  }

  async mail({ status, created, ended = created, kind = 'password_changed' }: PastMail): Promise<PastRow> {
    const fields = { kind, recipient: 'ada@example.com', status };
    const wasSent = status === 'SENT';
    const times = {
      created_at: created,
      next_attempt_at: wasSent ? created : ended,
      sent_at: wasSent ? ended : undefined,
    };
    return this.#insert('mail_outbox', fields, times);
  }

  async revocation({ created }: { created: Ago }): Promise<PastRow> {
    return this.#insert('revocations', { session_id: newId() }, { created_at: created });
  }

  async audit({ occurred }: { occurred: Ago }): Promise<PastRow> {
    const fields = { event: 'login', outcome: 'success', actor: 'user' };
    return this.#insert('auth_audit_logs', fields, { occurred_at: occurred });
  }

  async isThere({ table, id }: PastRow): Promise<boolean> {
    return (await this.#sql(`SELECT 1 FROM ${table} WHERE id = $1`, [id])).length > 0;
  }

  async #insert(
    table: string,
    fields: Record<string, unknown>,
    times: Record<string, Ago | undefined>,
  ): Promise<PastRow> {
    const id = newId();
    const given = Object.entries(times).filter(([, ago]) => ago !== undefined);
    const columns = ['id', ...Object.keys(fields), ...given.map(([column]) => column)];
    const values = [id, ...Object.values(fields), ...given.map(([, ago]) => ago)];
    const places = columns.map((column, index) =>
      column in times ? `now() - make_interval(secs => $${index + 1}::float8)` : `$${index + 1}`,
    );
    await this.#sql(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`, values);
    return { table, id };
  }
}
