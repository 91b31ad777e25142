import { describe, expect, it } from 'vitest';
import { financeUrl, postgresUrl, redisUrl, smtpUrl } from './connection-kinds.js';

describe('PostgreSQL addresses', () => {
  it.each([
    'postgres://localhost/auth',
    'postgresql://u:p@db.example.com:5432/auth?sslmode=require',
    'postgres://u:p%40ss@[::1]:5432/auth',
    'postgres:///auth?host=/var/run/postgresql',
    'postgres://u:p@h1:5432,h2:5433/auth?target_session_attrs=read-write',
    'postgres://h1,[::1]:5433/auth?sslmode=require&target_session_attrs=any',
    'postgres://h1,h2/auth?target_session_attrs=primary',
  ])('%s is accepted as it is', (text) => {
    expect(postgresUrl.schema.parse(text)).toBe(text);
  });

  it.each(['mysql://h/db', 'h:5432/db', 'postgres://u:p/w@h/db', 'postgres://h:port/db', 'postgres://h /db'])(
    '%s is refused',
    (text) => {
      expect(postgresUrl.schema.safeParse(text).success).toBe(false);
    },
  );
});

it.each([
  [
    'postgres:///auth?host=h1,h2',
    'names several hosts in a parameter; write them before the name of the database',
  ],
  [
    'postgres://h1,h2/auth?target_session_attrs=standby',
    'target_session_attrs must be read-write or any: the service writes to the database',
  ],
  [
    'postgres://h1,,h2/auth',
    'the host cannot be read; encode characters such as @ : / ? # in the password (%40 for @)',
  ],
])('a list of hosts that cannot be used is refused with what to write: %s', (text, message) => {
  const { error } = postgresUrl.schema.safeParse(text);
  expect(error?.issues[0]?.message).toBe(message);
});

describe('parameters of PostgreSQL addresses', () => {
  const problemOf = (query: string, kind = postgresUrl) =>
    kind.schema.safeParse(`postgres://u:p@h/auth?${query}`).error?.issues[0]?.message;

  it.each([
    'sslmode=verify-full&sslrootcert=/etc/ca.pem',
    'sslmode=verify-full&sslrootcert=system&sslcert=/c.pem&sslkey=/k.pem',
    'sslmode=no-verify',
    'sslmode=disable',
    'ssl=true',
    'application_name=id&channel_binding=prefer&sslmode=require',
    'options=-c%20work_mem%3D8MB',
    'sslnegotiation=direct&sslmode=require',
  ])('%s is accepted', (query) => {
    expect(problemOf(query)).toBeUndefined();
  });

  it.each([
    ['sslmod=require', 'sslmod is not a known parameter; write sslmode'],
    ['SSLMode=require', 'SSLMode is not a known parameter; write sslmode'],
    ['sslmode=requires', 'sslmode must be one of disable, require, verify-ca, verify-full, no-verify'],
    ['sslmode=', 'sslmode must be one of disable, require, verify-ca, verify-full, no-verify'],
    [
      'sslmode=prefer',
      'sslmode=prefer may connect in plain text; write sslmode=verify-full, or sslmode=disable',
    ],
    ['sslmode=require&sslmode=disable', 'the parameter sslmode comes twice'],
    ['sslmode', 'the parameter sslmode has no value'],
    ['ssl=yes', 'ssl must be one of true, false, 1, 0, no-verify'],
    ['ssl=true&sslmode=disable', 'ssl and sslmode contradict each other; remove ssl'],
    ['sslrootcert=/etc/ca.pem', 'sslrootcert has no effect without TLS; write sslmode=verify-full'],
    ['sslmode=require&sslcert=/c.pem', 'sslcert and sslkey belong together; write both'],
    ['host=/var/run/postgresql&sslmode=require', 'a socket has no TLS; remove sslmode'],
    ['schema=latchkey', 'schema is not a parameter; set DATABASE_SCHEMA'],
    ['currentSchema=latchkey', 'currentSchema is not a parameter; set DATABASE_SCHEMA'],
    ['search_path=latchkey', 'search_path is not a parameter; set DATABASE_SCHEMA'],
    ['options=-c%20search_path%3Dlatchkey', 'options sets search_path; set DATABASE_SCHEMA'],
    ['pgbouncer=true', 'remove pgbouncer; set DATABASE_PREPARED_STATEMENTS=false if the pooler needs it'],
    ['client_encoding=LATIN1', 'client_encoding must be one of UTF8, utf8, UTF-8, utf-8, auto'],
    ['port=x', 'the port is not a number from 1 to 65535'],
    ['user=50%', 'user: a % does not begin an encoded character; write %25'],
    ['p@ss=1', 'after ? is not a known parameter; remove it'],
    ['toString=1', 'toString is not a known parameter; remove it'],
  ])('%s is refused with what to write', (query, problem) => {
    expect(problemOf(query)).toBe(problem);
  });

  it('the finance database may be read from a search path', () => {
    expect(problemOf('options=-c%20search_path%3Dbooks', financeUrl)).toBeUndefined();
    expect(problemOf('schema=books', financeUrl)).toContain('FINANCE_COMPANY_QUERY');
  });

  it.each(['postgres://u:100%@h/auth', 'postgres://u:p@h:99999/auth', 'postgres://u:p@h/auth#x'])(
    '%s is refused, since no connection could be made',
    (text) => {
      expect(postgresUrl.schema.safeParse(text).success).toBe(false);
    },
  );
});

describe('Redis addresses', () => {
  it.each([
    'redis://localhost',
    'rediss://:secret@cache.example.com:6380/1',
    'redis://n1:7000,redis://n2:7001',
    'redis://n1:7000,n2:7001,n3:7002',
    'redis+sentinel://s1:26379,s2:26379/main',
    'redis+sentinel://u:p@s1,s2/main/2',
    'rediss+sentinel://s1/main',
  ])('%s is accepted as it is', (text) => {
    expect(redisUrl.schema.parse(text)).toBe(text);
  });

  it('white space around the commas of a list is dropped', () => {
    expect(redisUrl.schema.parse('redis://n1:7000, redis://n2:7001')).toBe('redis://n1:7000,redis://n2:7001');
  });

  it.each([
    'http://h',
    'localhost:6379',
    'redis://',
    'redis://h:x',
    'redis+sentinel://s1:26379',
    'redis+sentinel://s1/main?tls=true',
    'redis://app:p@ss@localhost',
    'redis://u:100%@h',
    'redis://h:99999',
    'redis://h?db=1',
    'redis://h/main',
    'redis://a,rediss://b',
    'redis://a,http://b',
  ])('%s is refused', (text) => {
    expect(redisUrl.schema.safeParse(text).success).toBe(false);
  });
});

describe('SMTP addresses', () => {
  it.each([
    'smtp://localhost:1025',
    'smtps://u:p@smtp.example.com',
    'smtp://u:p@mail:25?tls=none',
    'smtp://mail?tls=required',
  ])('%s is accepted as it is', (text) => {
    expect(smtpUrl.schema.parse(text)).toBe(text);
  });

  it.each([
    'mail.example.com',
    'https://mail',
    'smtp://',
    'smtp://h:x',
    'smtp://mail?tls=non',
    'smtp://u:100%@mail',
    'smtp://u:p@mail/relay',
    'smtp://u:p@mail#x',
    'smtp://:p@mail',
    'smtp://mail?tls',
    'smtp://mail?tls=none&tls=required',
    'smtp://mail?ignoreTLS=true',
    'smtp://mail?tls.rejectUnauthorized=false',
    'smtps://mail?tls=none',
  ])('%s is refused', (text) => {
    expect(smtpUrl.schema.safeParse(text).success).toBe(false);
  });
});
