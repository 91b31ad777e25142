import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import type { ApiClient } from '../support/api-client.js';
import { describeWithRedis } from '../support/redis.js';
import { Replicas } from '../support/replicas.js';
import {
  INVITING,
  RoleRaces,
  roleWith,
  type RaceCompany,
  type RaceStart,
  type Verdict,
} from '../support/role-race.js';

const CORE_KEY = 'key-of-the-core-service';
/** Rounds of each pair of requests. */
const ROUNDS = 8;

type RaceRequest = (at: ApiClient, company: RaceCompany) => Promise<Verdict>;

/** Two requests that race: a change of a role, and one that depends on it. */
interface Race {
  title: string;
  start: RaceStart;
  change: RaceRequest;
  other: RaceRequest;
}

describeWithRedis('changes of roles on two replicas', () => {
  let core: CoreService;
  let replicas: Replicas;
  let races: RoleRaces;
  beforeAll(async () => {
    core = await CoreService.start({ apiKey: CORE_KEY });
    const env = { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY, TRUST_PROXY: '1' };
    replicas = await Replicas.start(env, { cheapPasswords: true });
    races = new RoleRaces(replicas, core);
    await replicas.warmUp(4);
  });
  afterAll(async () => {
    await replicas.stop();
    await core.stop();
  });

  const define =
    (key: string, body: object): RaceRequest =>
    (at, company) =>
      races.ask(at, company, { method: 'PUT', path: `/roles/${key}`, body });
  const remove =
    (key: string, body: object = {}, by: 'owner' | 'second' = 'owner'): RaceRequest =>
    (at, company) =>
      races.ask(at, company, { by, method: 'DELETE', path: `/roles/${key}`, body });
  const give =
    (member: 'owner' | 'second' | 'guest', role: string, by: 'owner' | 'second' = 'owner'): RaceRequest =>
    (at, company) =>
      races.ask(at, company, {
        ...{ by, method: 'POST', path: '/memberships' },
        body: { userId: company[member].id, role },
      });
  const accept: RaceRequest = (at, company) => races.accept(at, company);
  const invite: RaceRequest = (at, company) => races.invite(at, company);

  const READER = { READER: roleWith('billing', 'stock') };
  const MEMBER = { MEMBER: roleWith('billing') };
  const pairs: Race[] = [
    {
      title: 'a role is narrowed while an invitation with it is accepted',
      start: { roles: READER, offered: 'READER' },
      change: define('READER', roleWith('stock')),
      other: accept,
    },
    {
      title: 'MEMBER is widened beyond what a delegate may give while their invitation is accepted',
      start: { roles: MEMBER, offered: 'MEMBER', inviter: 'delegate' },
      change: define('MEMBER', roleWith('billing', 'payroll')),
      other: accept,
    },
    {
      title: 'MEMBER is widened beyond what a delegate may give while they invite',
      start: { roles: MEMBER },
      change: define('MEMBER', roleWith('billing', 'payroll')),
      other: invite,
    },
    {
      title: 'a role loses the right to invite while the invitation of its member is accepted',
      start: { roles: { CLERK: INVITING }, offered: 'MEMBER', inviter: 'delegate', delegateRole: 'CLERK' },
      change: define('CLERK', roleWith('billing')),
      other: accept,
    },
    {
      title: 'a role loses the right to invite while its member invites',
      start: { roles: { CLERK: INVITING }, delegateRole: 'CLERK' },
      change: define('CLERK', roleWith('billing')),
      other: invite,
    },
    {
      title: 'a role is removed while an invitation with it is accepted',
      start: { roles: READER, offered: 'READER' },
      change: remove('READER'),
      other: accept,
    },
    {
      title: 'a role gives way to another one while an invitation with it is accepted',
      start: { roles: { ...READER, CLERK: roleWith('billing') }, offered: 'READER' },
      change: remove('READER', { moveTo: 'CLERK' }),
      other: accept,
    },
    {
      title: 'a role gives way to another one while a member gets it',
      start: { roles: { ...READER, CLERK: roleWith('billing') }, held: 'MEMBER' },
      change: remove('READER', { moveTo: 'CLERK' }),
      other: give('guest', 'READER'),
    },
    {
      title: 'a role is removed while its only member gets another one',
      start: { roles: READER, held: 'READER' },
      change: remove('READER'),
      other: give('guest', 'MEMBER'),
    },
    {
      title: 'members are moved to TENANT_SUPERADMIN by one who loses that role',
      start: { roles: READER, held: 'READER' },
      change: remove('READER', { moveTo: 'TENANT_SUPERADMIN' }, 'second'),
      other: give('second', 'ADMIN'),
    },
    {
      title: 'two superadmins take the role from each other',
      start: {},
      change: give('second', 'MEMBER', 'owner'),
      other: give('owner', 'MEMBER', 'second'),
    },
  ];

  /** Runs the requests of a race in a company of its own, and returns everything that came of it. */
  async function outcomeOf(
    { start, change, other }: Race,
    run: (requests: [() => Promise<Verdict>, () => Promise<Verdict>]) => Promise<[Verdict, Verdict]>,
  ) {
    const company = await races.company(start);
    const [one, two] = replicas.both.map(({ client }) => client) as [ApiClient, ApiClient];
    const verdicts = await run([() => change(one, company), () => other(two, company)]);
    expect(await races.tooWideInvitations(company), 'open invitations that are too wide').toEqual([]);
    const state = await races.stateOf(company);
    expect(Object.values(state.roles)).toContain('TENANT_SUPERADMIN');
    return { verdicts, ...state };
  }

  const serially = async (race: Race) => [
    await outcomeOf(race, async ([change, other]) => [await change(), await other()]),
    await outcomeOf(race, async ([change, other]) => {
      const second = await other();
      return [await change(), second];
    }),
  ];

  /** Starts both within a few milliseconds of each other, in an order that changes with the round. */
  const atOnce = (race: Race, round: number) =>
    outcomeOf(race, ([change, other]) => {
      const wait = () => sleep(round >> 1);
      return round % 2 === 0
        ? Promise.all([change(), wait().then(other)])
        : Promise.all([wait().then(change), other()]);
    });

  it.each(pairs.map((race) => [race.title, race] as const))(
    'if %s, the company is as if one had come after the other',
    async (_title, race) => {
      const orders = await serially(race);
      for (let round = 0; round < ROUNDS; round++) expect(orders).toContainEqual(await atOnce(race, round));
    },
  );
});
