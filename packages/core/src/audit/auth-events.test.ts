import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from '../kernel/logger.js';
import { AUDIT_EVENTS, type AuditEventName } from './audit-event.js';
import type { AuthEvent } from './auth-event.js';
import { AuthEvents } from './auth-events.js';

let logged: { level: string; details: object; message: string }[];
let events: AuthEvents;
let received: string[];

const log = (level: string) => (details: object, message: string) =>
  void logged.push({ level, details, message });
const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };

beforeEach(() => {
  logged = [];
  received = [];
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
  actedByUserId: null,
  actedByName: null,
  subjectUserId: null,
  companyId: null,
  sessionId: null,
  ipAddress: null,
  userAgent: null,
  requestId: null,
  details: { list: [1] },
});
const receive = (who: string) => (event: AuthEvent) => void received.push(`${who} ${event.id}`);

describe('listeners', () => {
  it('listeners receive their events in order and in a turn of their own', async () => {
    events.on('*', receive('all'));
    events.on('logout', receive('logout'));
    events.emit(event('1'));
    events.emit(event('2', 'logout'));
    await Promise.resolve();
    expect(received).toEqual([]);
    await nextTurn();
    expect(received).toEqual(['all 1', 'all 2', 'logout 2']);
  });

  it('listeners to all events receive each of them, in an object of their own', async () => {
    const all: AuthEvent[] = [];
    events.on('*', (each) => {
      all.push(structuredClone(each));
      each.id = 'changed';
      each.details.list = 'changed';
    });
    events.on('*', (each) => void all.push(each));
    const emitted = event('1');
    events.emit(emitted);
    await nextTurn();
    expect(all).toEqual([event('1'), event('1')]);
    expect(emitted).toEqual(event('1'));
  });

  it('listeners that are added twice are called twice, and each subscription ends on its own', async () => {
    const listener = receive('twice');
    const [end] = [events.on('login', listener), events.on('login', listener)];
    events.emit(event('1'));
    await nextTurn();
    end();
    end();
    events.emit(event('2'));
    await nextTurn();
    expect(received).toEqual(['twice 1', 'twice 1', 'twice 2']);
  });

  it('removed listeners are not called, even for events that were emitted before', async () => {
    const end = events.on('*', receive('removed'));
    events.emit(event('1'));
    end();
    await nextTurn();
    expect(received).toEqual([]);
  });

  it('listeners may remove others and add new ones while they are called', async () => {
    events.on('*', () => {
      endOther();
      events.on('*', receive('new'));
    });
    const endOther = events.on('*', receive('other'));
    events.emit(event('1'));
    await nextTurn();
    expect(received).toEqual([]);
  });

  it('the next event does not wait for the promises of listeners', async () => {
    const releases: (() => void)[] = [];
    events.on('*', ({ id }) => {
      received.push(id);
      return new Promise<void>((resolve) => releases.push(resolve));
    });
    events.emit(event('1'));
    events.emit(event('2'));
    await nextTurn();
    expect(received).toEqual(['1', '2']);
    for (const release of releases) release();
    await events.settle();
  });

  it('a listener that fails is logged, and the others are called', async () => {
    events.on('*', () => {
      throw new Error('thrown');
    });
    events.on('*', () => Promise.reject(new Error('rejected')));
    events.on('*', receive('last'));
    events.emit(event('1'));
    await events.settle();
    expect(received).toEqual(['last 1']);
    expect(logged).toMatchObject([
      { level: 'error', details: { err: { message: 'thrown' }, event: 'login', id: '1' } },
      { level: 'error', details: { err: { message: 'rejected' }, event: 'login', id: '1' } },
    ]);
  });
});

describe('settling', () => {
  it('settling delivers waiting events and waits for promises and for the events they cause', async () => {
    events.on('login', async () => {
      await nextTurn();
      received.push('login');
      events.emit(event('2', 'logout'));
    });
    events.on('logout', async () => {
      await nextTurn();
      received.push('logout');
    });
    events.emit(event('1'));
    await events.settle();
    expect(received).toEqual(['login', 'logout']);
  });

  it('settling stops after 5 seconds and logs a warning', async () => {
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
  const on = (name: string) => () => events.on(name as AuditEventName, receive('never'));

  it('an unknown event name is rejected with similar names', () => {
    expect(on('user_login')).toThrow(new TypeError(messageOf('user_login', ' Did you mean login?')));
    expect(on('invitation_create')).toThrow(/Did you mean invitation_created/);
  });

  it.each(['', 'payment', '__proto__', 'constructor'])(
    'an unknown event name without similar names is rejected: "%s"',
    (name) => {
      expect(on(name)).toThrow(new TypeError(messageOf(name, '')));
    },
  );

  const messageOf = (given: string, hint: string) =>
    `auth.on: "${given}" is not an event.${hint} ` +
    `Events are the names in the audit log, and '*' for all: ${AUDIT_EVENTS.join(', ')}.`;
});

it('a listener that is not a function is rejected', () => {
  const on = () => events.on('login', 'log it' as unknown as () => void);
  expect(on).toThrow(new TypeError(`auth.on('login', listener): the listener must be a function.`));
});
