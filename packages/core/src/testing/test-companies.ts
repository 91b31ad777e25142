import { v5 as nameBasedId } from 'uuid';
import type { AccessPolicyMode } from '../access/entitlements.js';
import type { EntitlementsFunction } from '../access/entitlements.static.js';
import { isUuid } from '../kernel/id.js';

/**
 * What a company is entitled to.
 * @example
 * ```ts
 * const wanted: NewTestCompany = { name: 'acme', modules: ['billing'], permissions: ['invoices:read'] };
 * const company = await kit.company(wanted);
 * company.mode; // → 'ENFORCED'
 * ```
 */
export interface NewTestCompany {
  /** A name of your choice, or a UUID. Default: another one each time. */
  name?: string;
  modules: readonly string[];
  /** Default: ENFORCED, by which members use the modules they were granted and no others. */
  mode?: AccessPolicyMode;
  /** The permissions that members may have at most. Default: no limit. */
  permissions?: readonly string[];
}

/**
 * A company of a kit.
 * @example
 * ```ts
 * const company: TestCompany = await kit.company({ name: 'acme', modules: ['billing'] });
 * const ann = await kit.user({ company: 'acme' });
 * ann.companyId === company.id; // → true
 * ```
 */
export interface TestCompany {
  /** The same for the same name, in every kit. */
  id: string;
  name: string;
  modules: readonly string[];
  mode: AccessPolicyMode;
  permissions: readonly string[] | undefined;
}

/** RFC 9562 section 5.5 makes ids of names within a namespace; this one is ours. */
const NAMESPACE = '5f2b1f0e-7c55-4d0b-9a0e-3f6c2f6f4d11';

/** The companies of a kit, in place of the core service that would know them. */
export class TestCompanies {
  readonly #byId = new Map<string, TestCompany & { isDeclared: boolean }>();
  #unnamed = 0;

  /** Says what a company is entitled to, in place of what was said before. */
  declare({ name = this.#newName(), modules, mode = 'ENFORCED', permissions }: NewTestCompany): TestCompany {
    const id = companyId(name);
    const company = { id, name, modules: [...modules], mode, permissions };
    this.#byId.set(id, { ...company, isDeclared: true });
    return company;
  }

  /**
   * Makes sure that there is such a company and gives its id. What a company is entitled to grows with what its
   * members are granted, unless it was said.
   */
  join(name: string, modules: readonly string[]): string {
    const id = companyId(name);
    const known = this.#byId.get(id);
    if (known?.isDeclared === true) return id;
    const all = [...new Set([...(known?.modules ?? []), ...modules])];
    this.#byId.set(id, {
      id,
      name,
      modules: all,
      mode: 'ENFORCED',
      permissions: undefined,
      isDeclared: false,
    });
    return id;
  }

  /** What the kit's `Auth` asks. */
  readonly entitlements: EntitlementsFunction = (id) => {
    const company = this.#byId.get(id);
    if (!company) return undefined;
    const { modules, mode, permissions } = company;
    return {
      modules: [...modules],
      accessPolicyMode: mode,
      ...(permissions && { permissions: [...permissions] }),
    };
  };

  #newName(): string {
    this.#unnamed += 1;
    return `company ${this.#unnamed}`;
  }
}

const companyId = (name: string): string =>
  isUuid(name) ? name.toLowerCase() : nameBasedId(name, NAMESPACE);
