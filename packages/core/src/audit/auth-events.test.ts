import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from '../kernel/logger.js';
import { AUDIT_EVENTS, type AuditEventName } from './audit-event.js';
import type { AuthEvent } from './auth-event.js';
import { AuthEvents } from './auth-events.js';

let logged: { level: string; details: object; message: string }[];
let events: AuthEvents;
let heard: string[];

const log = (level: string) => (details: object, message: string) =>
  void logged.push({ level, details, message });
const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };

beforeEach(() => {
  logged = [];
  heard = [];
  events = new AuthEvents(logger);
});
afterEach(() => {
  vi.useRealTimers();
});

const event = (id: string, name: AuditEventName = 'login'): AuthEvent => ({
  id,
  event: name,
  outcome: 'success',
  actor: 'user',
  actorUserId: null,
  subjectUserId: null,
  companyId: null,
  sessionId: null,
  ipAddress: null,
  userAgent: null,
  requestId: null,
  details: { list: [1] },
});
const hear = (who: string) => (told: AuthEvent) => void heard.push(`${who} ${told.id}`);

describe('listeners', () => {
  it('hear what they listen to, in order, in a turn of their own', async () => {
    events.on('*', hear('all'));
    events.on('logout', hear('logout'));
    events.emit(event('1'));
    events.emit(event('2', 'logout'));
    await Promise.resolve();
    expect(heard).toEqual([]);
    await nextTurn();
    expect(heard).toEqual(['all 1', 'all 2', 'logout 2']);
  });

  it('are told everything, each in an object of its own', async () => {
    const told: AuthEvent[] = [];
    events.on('*', (each) => {
      told.push(structuredClone(each));
      each.id = 'changed';
      each.details.list = 'changed';
    });
    events.on('*', (each) => void told.push(each));
    const emitted = event('1');
    events.emit(emitted);
    await nextTurn();
    expect(told).toEqual([event('1'), event('1')]);
    expect(emitted).toEqual(event('1'));
  });

  it('that are added twice hear twice, and each subscription ends by itself', async () => {
    const listener = hear('twice');
    const [end] = [events.on('login', listener), events.on('login', listener)];
    events.emit(event('1'));
    await nextTurn();
    end();
    end();
    events.emit(event('2'));
    await nextTurn();
    expect(heard).toEqual(['twice 1', 'twice 1', 'twice 2']);
  });

  it('that were removed are not called any more, even for what was emitted before', async () => {
    const end = events.on('*', hear('removed'));
    events.emit(event('1'));
    end();
    await nextTurn();
    expect(heard).toEqual([]);
  });

  it('may remove others and add new ones while they are told', async () => {
    events.on('*', () => {
      endOther();
      events.on('*', hear('new'));
    });
    const endOther = events.on('*', hear('other'));
    events.emit(event('1'));
    await nextTurn();
    expect(heard).toEqual([]);
  });

  it('are not waited for by the next event', async () => {
    const releases: (() => void)[] = [];
    events.on('*', ({ id }) => {
      heard.push(id);
      return new Promise<void>((resolve) => releases.push(resolve));
    });
    events.emit(event('1'));
    events.emit(event('2'));
    await nextTurn();
    expect(heard).toEqual(['1', '2']);
    for (const release of releases) release();
    await events.settle();
  });

  it('whose failures are logged do not keep others from hearing', async () => {
    events.on('*', () => {
      throw new Error('thrown');
    });
    events.on('*', () => Promise.reject(new Error('rejected')));
    events.on('*', hear('last'));
    events.emit(event('1'));
    await events.settle();
    expect(heard).toEqual(['last 1']);
    expect(logged).toMatchObject([
      { level: 'error', details: { err: { message: 'thrown' }, event: 'login', id: '1' } },
      { level: 'error', details: { err: { message: 'rejected' }, event: 'login', id: '1' } },
    ]);
  });
});

describe('settling', () => {
  it('delivers what waits and waits for promises, and for what they cause', async () => {
    events.on('login', async () => {
      await nextTurn();
      heard.push('login');
      events.emit(event('2', 'logout'));
    });
    events.on('logout', async () => {
      await nextTurn();
      heard.push('logout');
    });
    events.emit(event('1'));
    await events.settle();
    expect(heard).toEqual(['login', 'logout']);
  });

  it('gives up after 5 seconds, and says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    events.on('*', () => new Promise<void>(() => undefined));
    events.emit(event('1'));
    const settled = events.settle();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(logged).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await settled;
    expect(logged).toMatchObject([{ level: 'warn', details: { running: 1 } }]);
    await events.settle();
  });
});

describe('a name that no event has', () => {
  const on = (name: string) => () => events.on(name as AuditEventName, hear('never'));

  it('is refused with those that are near', () => {
    expect(on('user_login')).toThrow(new TypeError(messageOf('user_login', ' Did you mean login?')));
    expect(on('invitation_create')).toThrow(/Did you mean invitation_created/);
  });

  it.each(['', 'payment', '__proto__', 'constructor'])(
    'is refused without, where nothing is: "%s"',
    (name) => {
      expect(on(name)).toThrow(new TypeError(messageOf(name, '')));
    },
  );

  const messageOf = (given: string, hint: string) =>
    `auth.on: "${given}" is no event.${hint} ` +
    `Events are the names in the audit log, and '*' for all: ${AUDIT_EVENTS.join(', ')}.`;
});

it('a listener that is no function is refused', () => {
  const on = () => events.on('login', 'log it' as unknown as () => void);
  expect(on).toThrow(new TypeError(`auth.on('login', listener): the listener must be a function.`));
});
