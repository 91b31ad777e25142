import { v5 as nameBasedId } from 'uuid';
import type { AccessPolicyMode, EntitlementsFunction } from '@latchkey/core';
import { someText, someTexts } from '@latchkey/core/internal/settings/option-rules';
import { ACCESS_POLICY_MODES } from '@latchkey/core/names';
import { isUuid } from '@latchkey/core/schemas';
import { assertOptions, type OptionRule } from '@latchkey/core/settings';

/** The entitlements of a company. */
export interface NewTestCompany {
  /** A name of your choice, or a UUID. Defaults to a new name. */
  name?: string;
  modules: readonly string[];
  /** Defaults to ENFORCED, under which members use the granted modules and no others. */
  mode?: AccessPolicyMode;
  /** The permissions that members may have at most. Defaults to no limit. */
  permissions?: readonly string[];
}

/** A company of a kit. */
export interface TestCompany {
  /** The same for the same name, in every kit. */
  id: string;
  name: string;
  modules: readonly string[];
  mode: AccessPolicyMode;
  permissions: readonly string[] | undefined;
}

const COMPANY_FIELDS = {
  name: someText,
  modules: someTexts,
  mode: {
    allowed: `one of ${ACCESS_POLICY_MODES.join(', ')}`,
    isAllowed: (value) => ACCESS_POLICY_MODES.some((mode) => mode === value),
  },
  permissions: someTexts,
} satisfies Record<keyof NewTestCompany, OptionRule>;

/** RFC 9562 section 5.5 makes ids of names within a namespace; this one is ours. */
const NAMESPACE = '5f2b1f0e-7c55-4d0b-9a0e-3f6c2f6f4d11';

/** The companies of a kit, in place of a core service. */
export class TestCompanies {
  readonly #byId = new Map<string, TestCompany & { isDeclared: boolean }>();
  #unnamed = 0;

  /** Sets the entitlements of a company, in place of earlier ones. */
  declare(wanted: NewTestCompany): TestCompany {
    assertOptions({ name: 'kit.company' }, wanted, COMPANY_FIELDS);
    const { name = this.#newName(), modules, mode = 'ENFORCED', permissions } = wanted;
    const id = companyId(name);
    const company = { id, name, modules: [...modules], mode, permissions };
    this.#byId.set(id, { ...company, isDeclared: true });
    return company;
  }

  /**
   * Creates the company if necessary and returns its id. Its entitlements grow with the grants of its
   * members, unless they were set.
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

  /** The entitlement source of the kit's `Auth`. */
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
