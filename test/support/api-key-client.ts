import { expect } from 'vitest';
import type { Answer, AnswerData } from './api-client.js';
import type { TestService } from './service.js';

/** A key that was made: its id and its text. */
export interface MadeKey {
  id: string;
  key: string;
}

export const madeKeyOf = ({ data }: Answer): MadeKey => ({
  id: (data.apiKey as AnswerData).id,
  key: String(data.key),
});

/** Requests about the API keys of users, and with such keys. */
export class ApiKeyClient {
  readonly service: TestService;

  constructor(service: TestService) {
    this.service = service;
  }

  create(token: string, body: object = {}): Promise<Answer> {
    return this.service.api('POST', '/auth/api-keys', { token, body: { name: 'Nightly export', ...body } });
  }

  /** Makes a key that must come. */
  async made(token: string, body?: object): Promise<MadeKey> {
    const answer = await this.create(token, body);
    expect(answer.status, answer.text).toBe(201);
    return madeKeyOf(answer);
  }

  /** A request with the key as Bearer token. */
  with(key: string, method: string, path: string, companyId?: string): Promise<Answer> {
    const headers = companyId === undefined ? {} : { 'x-org': companyId };
    return this.service.api(method, path, { token: key, headers });
  }

  /** Returns the status of what a key says about itself: 200 if it is accepted. */
  async status(key: string): Promise<number> {
    return (await this.with(key, 'GET', '/auth/api-key')).status;
  }

  verify(apiKey: string, companyId?: string): Promise<Answer> {
    return this.service.machine('POST', '/internal/api-keys/verify', {
      body: { apiKey, ...(companyId !== undefined && { companyId }) },
    });
  }

  /** Details of the audit rows of an event about a key, oldest first. */
  async audit(id: string): Promise<[string, unknown][]> {
    const rows = await this.service.sql(
      `SELECT event, details->>'reason' AS reason FROM auth_audit_logs WHERE details->>'apiKeyId' = $1 ORDER BY occurred_at, id`,
      [id],
    );
    return rows.map(({ event, reason }) => [String(event), reason]);
  }
}
