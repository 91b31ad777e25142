import express, { type RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '@latchkey/core';
import { exchangeServer } from '../../../../test/support/exchange-server.js';
import type { Exchange } from '../exchange/exchange.js';
import { jsonResponse } from './envelope.js';
import { errorResponse } from './error-response.js';
import { readJsonBody } from './json-body.js';

const echo = async (exchange: Exchange) => {
  try {
    return jsonResponse(exchange, 200, { body: await readJsonBody(exchange) });
  } catch (error) {
    return errorResponse(exchange, error, { logger: silentLogger });
  }
};

/** Sends a body to an app that gives back what it read, behind the parsers of a host app. */
async function read(
  body: string | Uint8Array<ArrayBuffer>,
  { type = 'application/json', before = [] }: { type?: string; before?: RequestHandler[] } = {},
) {
  const url = await exchangeServer(echo, before);
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } });
  const reply = (await answer.json()) as { body?: unknown; error?: { message: string } };
  return { status: answer.status, body: reply.body, message: reply.error?.message };
}

describe('readJsonBody', () => {
  it.each([
    '{}',
    '{"a":[1,{"b":null}]}',
    ' \n{"a":"\\u00fc"}\t',
    '{"a":"ü \u202e \ufeff"}',
    '{"a":"\\ud83d\\ude00"}',
  ])('readJsonBody reads %s unchanged', async (text) => {
    expect(await read(text)).toMatchObject({ status: 200, body: JSON.parse(text) as unknown });
  });

  it('readJsonBody reads an empty body as an empty object, so that validation names missing fields', async () => {
    expect(await read('')).toMatchObject({ status: 200, body: {} });
  });

  it('readJsonBody accepts charset utf-8 in any letter case', async () => {
    expect((await read('{}', { type: 'Application/JSON; charset=UTF-8' })).status).toBe(200);
  });

  it.each([
    ['[]', 'The body must be a JSON object.'],
    ['"x"', 'The body must be a JSON object.'],
    ['1', 'The body must be a JSON object.'],
    ['null', 'The body must be a JSON object.'],
    ['{"a":1', 'The body is not valid JSON.'],
    ['{"a":1,}', 'The body is not valid JSON.'],
    ['{"a":1}{"b":2}', 'The body is not valid JSON.'],
    ["{'a':1}", 'The body is not valid JSON.'],
    ['{"a":NaN}', 'The body is not valid JSON.'],
    ['{"a":1} // x', 'The body is not valid JSON.'],
    ['{"a":"b\\u0000"}', 'a: contains a NUL or an unpaired surrogate'],
    ['{"a":{"b":["\\ud800"]}}', 'a.b.0: contains a NUL or an unpaired surrogate'],
  ])('%#: readJsonBody rejects %j with the reason', async (text, message) => {
    expect(await read(text)).toEqual({ status: 400, body: undefined, message });
  });

  it('readJsonBody rejects a body that is nested deeper than 32 levels', async () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect((await read(nested(32))).status).toBe(200);
    for (const depth of [33, 15_000]) {
      const answer = await read(nested(depth));
      expect(answer.status).toBe(400);
      expect(answer.message).toContain('nested deeper than 32 levels');
    }
  });

  it.each([
    ['a byte that is not UTF-8', Buffer.from('7b2261223a22ff227d', 'hex')],
    ['an overlong encoding', Buffer.from('7b2261223a22c080227d', 'hex')],
    ['a surrogate in bytes', Buffer.from('7b2261223a22eda080227d', 'hex')],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
  ])('readJsonBody rejects %s', async (_what, bytes) => {
    expect(await read(new Uint8Array(bytes))).toMatchObject({
      status: 400,
      message: 'The body must be UTF-8.',
    });
  });

  it.each(['utf8', 'UTF8', 'us-ascii', '"utf-8"', 'iso-8859-1', 'nonsense', ''])(
    'readJsonBody reads UTF-8 whatever charset is stated: %s',
    async (charset) => {
      const answer = await read('\ufeff{"a":"ü"}', { type: `application/json; charset=${charset}` });
      expect(answer).toMatchObject({ status: 200, body: { a: 'ü' } });
    },
  );

  it('readJsonBody rejects bytes that are not UTF-8 whatever charset is stated', async () => {
    const bytes = new Uint8Array(Buffer.from('{"a":"ü"}', 'latin1'));
    const answer = await read(bytes, { type: 'application/json; charset=iso-8859-1' });
    expect(answer).toMatchObject({ status: 400, message: 'The body must be UTF-8.' });
  });

  it.each(['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'application/vnd.api+json'])(
    'readJsonBody rejects a body of type %s',
    async (type) => {
      expect(await read('{}', { type })).toMatchObject({
        status: 400,
        message: 'Content-Type must be application/json.',
      });
    },
  );

  it('readJsonBody rejects a body of more than 100 KiB', async () => {
    const ofSize = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    expect((await read(ofSize(102_400))).status).toBe(200);
    expect(await read(ofSize(102_401))).toMatchObject({
      status: 413,
      message: 'The body is larger than 100 KiB.',
    });
  });
});

describe('readJsonBody behind the parser of a host app', () => {
  const behind = (text: string) => read(text, { before: [express.json({ strict: false })] });

  it('readJsonBody behind the parser of a host app uses the parsed body', async () => {
    expect(await behind('{"a":1}')).toMatchObject({ status: 200, body: { a: 1 } });
  });

  it.each(['[]', '"x"', 'null', '1', 'true'])(
    'readJsonBody behind the parser of a host app still rejects %s',
    async (text) => {
      expect(await behind(text)).toMatchObject({ status: 400, message: 'The body must be a JSON object.' });
    },
  );

  it('readJsonBody behind the parser of a host app still rejects unclean text', async () => {
    expect((await behind('{"a":"\\u0000"}')).status).toBe(400);
  });

  it('readJsonBody behind the parser of a host app reads a body that the parser skipped', async () => {
    const before = [express.urlencoded({ extended: false }), express.text()];
    expect(await read('{"a":1}', { before })).toMatchObject({ status: 200, body: { a: 1 } });
  });

  const asBytes = [express.raw({ type: '*/*', limit: '1mb' })];
  const asText = [express.text({ type: '*/*', limit: '1mb' })];

  it.each([
    ['bytes', asBytes],
    ['text', asText],
  ])('readJsonBody behind the parser of a host app parses %s as JSON', async (_what, before) => {
    const given = (text: string) => read(text, { before });
    expect(await given(' {"a":"ü"}')).toMatchObject({ status: 200, body: { a: 'ü' } });
    for (const text of ['[]', '1', '"x"', '{"a":', 'a=1']) {
      expect([text, await given(text)]).toMatchObject([text, { status: 400 }]);
    }
    expect((await given('{"a":"\\u0000"}')).message).toBe('a: contains a NUL or an unpaired surrogate');
    expect((await given(`{"a":"${'x'.repeat(102_400)}"}`)).status).toBe(413);
    expect((await read('{"a":1}', { before, type: 'text/plain' })).message).toBe(
      'Content-Type must be application/json.',
    );
  });

  it('readJsonBody behind the parser of a host app still rejects bytes that are not UTF-8', async () => {
    const bytes = new Uint8Array(Buffer.from('7b2261223a22ff227d', 'hex'));
    expect((await read(bytes, { before: asBytes })).message).toBe('The body must be UTF-8.');
  });

  it('readJsonBody behind the parser of a host app rejects a parsed form', async () => {
    const before = [express.urlencoded({ extended: true })];
    const type = 'application/x-www-form-urlencoded';
    expect((await read('a=1', { before, type })).message).toBe('Content-Type must be application/json.');
  });

  it('readJsonBody behind the parser of a host app names the fix for a body that was read and is not in req.body', async () => {
    const swallow: RequestHandler = (request, _response, next) => {
      request.on('end', () => next()).resume();
    };
    expect((await read('{"a":1}', { before: [swallow] })).message).toBe(
      'The body was already read and is not in req.body. Mount createAuthRouter before the middleware that reads it.',
    );
  });
});
