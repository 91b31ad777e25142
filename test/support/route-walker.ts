import { randomUUID } from 'node:crypto';
import type { Route } from '@latchkey/express-adapter';
import { ValueCipher } from '../../packages/core/src/encryption/value-cipher.js';
import { placeOfSecret } from '../../packages/core/src/webhooks/webhook-endpoint.js';
import type { Answer } from './api-client.js';
import { BODY_FIXTURES } from './body-fixtures.js';
import { insertInvitation } from './insert-invitation.js';
import { nameOf } from './route-request.js';
import { FACTOR_KEY, type TestService } from './service.js';
import { TestCompany } from './test-company.js';

/** Calls routes one after the other, each with the body and the path of a request that succeeds. */
export class RouteWalker {
  readonly service: TestService;
  /** The company of every path and header. */
  readonly company: TestCompany;

  constructor(service: TestService, company = new TestCompany(service)) {
    this.service = service;
    this.company = company;
  }

  /**
   * Calls a route about a new member of the company. The response is that of problem details, which has a reason.
   * @param companyId the company of path and header. Defaults to that of the walker, in which all the rest is.
   */
  async call(route: Route, token: string, companyId = this.company.id): Promise<Answer> {
    const fixture = await BODY_FIXTURES[nameOf(route)]?.(this.service);
    const { id: member } = await this.service.createUser();
    await this.company.join(member, { unit: this.company.unit });
    const path: Record<string, string | undefined> & { id: string } = {
      // A key of a fixture belongs to another company.
      id: (isOfCompany(route) ? undefined : fixture?.path?.id) ?? (await this.#idFor(route, member)),
      companyId,
      businessUnitId: this.company.unit,
      userId: member,
      key: fixture?.path?.key,
    };
    if (isOfCompany(route) && route.path.includes('{deliveryId}'))
      path.deliveryId = await this.#deliveryOf(path.id);
    if (route.method === 'delete' && path.key !== undefined) await this.#defineRole(path.key);
    const target = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => path[name] ?? randomUUID());
    const body = fixture && 'userId' in fixture.body ? { ...fixture.body, userId: member } : fixture?.body;
    return this.service.client.send(route.method.toUpperCase(), target, {
      token,
      ...(route.body && { body: body ?? {} }),
      headers: { 'x-org': companyId, accept: 'application/problem+json' },
    });
  }

  /** Written straight into the database: audit rows of the company are those of the walk. */
  async #keyOfCompany(): Promise<string> {
    const id = randomUUID();
    await this.service.sql(
      `INSERT INTO api_keys (id, kind, company_id, name, digest, hint, modules, permissions)
       VALUES ($1, 'COMPANY', $2, 'ERP', sha256($3::bytea), 'abcd', '{}', '{}')`,
      [id, this.company.id, Buffer.from(id)],
    );
    return id;
  }

  /** Adds a webhook past the service, in place of those before: a company has few. */
  async #webhookOfCompany(): Promise<string> {
    const id = randomUUID();
    const cipher = new ValueCipher([Buffer.from(FACTOR_KEY, 'base64')]);
    const { bytes, keyId } = cipher.encrypt(Buffer.alloc(32), placeOfSecret('secret', id));
    await this.service.sql('DELETE FROM webhook_endpoints WHERE company_id = $1', [this.company.id]);
    await this.service.sql(
      `INSERT INTO webhook_endpoints (id, company_id, url, events, secret, secret_key_id)
       VALUES ($1, $2, 'http://localhost:9/hooks', '{*}', $3, $4)`,
      [id, this.company.id, bytes, keyId],
    );
    return id;
  }

  /** Adds a delivery that has ended. */
  async #deliveryOf(webhookId: string): Promise<string> {
    const id = randomUUID();
    await this.service.sql(
      `INSERT INTO webhook_deliveries (id, endpoint_id, event, payload, status) VALUES ($1, $2, 'webhook.test', '{}', 'DEAD')`,
      [id, webhookId],
    );
    return id;
  }

  /** Defines a role of the company past the service, which would write an audit row. */
  async #defineRole(key: string): Promise<void> {
    await this.service.sql(
      `INSERT INTO company_roles (id, company_id, key, name, modules, permissions, delegation)
       VALUES ($1, $2, $3, 'Role', '{}', '{}',
         '{"canManageUsers":false,"canBuyAddons":false,"grantableModules":[],"grantablePermissions":[]}')`,
      [randomUUID(), this.company.id, key],
    );
  }

  /** Returns the id of an open invitation to the company, of a new key or webhook of the company, or of the member. */
  async #idFor({ path }: Route, member: string): Promise<string> {
    if (path.includes('{companyId}/api-keys/')) return this.#keyOfCompany();
    if (path.includes('{companyId}/webhooks/')) return this.#webhookOfCompany();
    if (!path.startsWith('/auth/invitations/')) return member;
    return insertInvitation(this.service.sql, { companyId: this.company.id });
  }
}

const isOfCompany = ({ path }: Route): boolean => path.includes('{companyId}');
