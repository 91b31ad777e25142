/** A member of a company, its entitlements and the definitions of roles, as a model that knows nothing of the service. */
export interface RoleWorld {
  mode: 'LEGACY' | 'SHADOW' | 'ENFORCED';
  entitled: string[];
  role: string;
  grants: string[];
  denies: string[];
  permissions: string[];
  /** By key; `template` is in effect where `own` has no entry. */
  own: Record<string, RoleOfModel | undefined>;
  template: Record<string, RoleOfModel | undefined>;
}

export interface RoleOfModel {
  modules: string[];
  permissions: string[];
}

export type RoleStep =
  | { kind: 'define'; of: 'own' | 'template'; key: string; role: RoleOfModel }
  | { kind: 'remove'; of: 'own' | 'template'; key: string; moveTo?: string }
  | { kind: 'grant'; modules: string[]; permissions: string[] }
  | { kind: 'deny'; modules: string[] }
  | { kind: 'join'; role: string }
  | { kind: 'entitle'; modules: string[] }
  | { kind: 'mode'; mode: RoleWorld['mode'] };

export const newWorld = (): RoleWorld => ({
  ...{ mode: 'LEGACY', entitled: ['a', 'b', 'c'], role: 'MEMBER', grants: [], denies: [], permissions: [] },
  ...{ own: {}, template: {} },
});

/** The definition of a role in effect. */
const inEffect = (world: RoleWorld, key: string): RoleOfModel | undefined =>
  world.own[key] ?? world.template[key];

/** Applies a step. @returns false if it must be refused, and then changes nothing. */
export function take(world: RoleWorld, step: RoleStep): boolean {
  if (step.kind === 'define') world[step.of][step.key] = step.role;
  else if (step.kind === 'grant') [world.grants, world.permissions] = [step.modules, step.permissions];
  else if (step.kind === 'deny') world.denies = step.modules;
  else if (step.kind === 'join') world.role = step.role;
  else if (step.kind === 'entitle') world.entitled = step.modules;
  else if (step.kind === 'mode') world.mode = step.mode;
  else return remove(world, step);
  return true;
}

function remove(world: RoleWorld, { of, key, moveTo }: Extract<RoleStep, { kind: 'remove' }>): boolean {
  if (!world[of][key] || moveTo === key) return false;
  const holds = world.role === key && (of === 'own' || !world.own[key]);
  const fallsBack = of === 'own' && world.template[key] !== undefined;
  if (holds && !fallsBack && moveTo === undefined) return false;
  world[of][key] = undefined;
  if (holds && moveTo !== undefined) world.role = moveTo;
  return true;
}

/** The access of the member: what the service may give at most, and what it must give. */
export function accessOfModel(world: RoleWorld): RoleOfModel {
  const role = inEffect(world, world.role);
  const isFree = world.mode !== 'ENFORCED' && world.grants.length === 0 && !role;
  const named = [...world.grants, ...(role?.modules ?? [])];
  const allowed = (key: string) => world.mode !== 'ENFORCED' || !world.denies.includes(key);
  return {
    modules: world.entitled.filter((key) => isFree || (named.includes(key) && allowed(key))).toSorted(),
    permissions: [...new Set([...world.permissions, ...(role?.permissions ?? [])])].toSorted(),
  };
}
