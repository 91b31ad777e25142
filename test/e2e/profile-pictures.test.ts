import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintActing } from '../support/acting.js';
import { ApiKeyClient } from '../support/api-key-client.js';
import { ON_NEXT } from '../support/binding.js';
import { signedInUser } from '../support/minted-token.js';
import { PICTURE_ENV, PictureClient } from '../support/picture-client.js';
import { jpegSegment, PICTURES, pngChunk, pngOf, webpHeader, webpOf } from '../support/pictures.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let pictures: PictureClient;

beforeAll(async () => {
  service = await startTestService({
    env: { ...PICTURE_ENV, API_KEYS: 'all', CORS_ORIGINS: 'https://app.example.org' },
  });
  pictures = new PictureClient(service);
});
afterAll(() => service.stop());

const { png, jpeg, lossless } = PICTURES;
const OK = { status: 200, data: { status: 'ok' } };
const FOREIGN = 'https://pictures.example/ada.png';

const me = async (token: string) => (await service.api('GET', '/auth/me', { token })).data;
const patch = (token: string, profilePictureUrl: string) =>
  service.api('PATCH', '/auth/me', { token, body: { profilePictureUrl } });
const rowsOf = (userId: string) =>
  service.sql('SELECT id, content, content_type FROM user_pictures WHERE user_id = $1', [userId]);
const eventsOf = (userId: string, event: string) =>
  service.sql(
    'SELECT actor, outcome, details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = $2 ORDER BY occurred_at',
    [userId, event],
  );

describe('an upload', () => {
  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['lossy', 'image/webp'],
    ['transparent', 'image/webp'],
    ['lossless', 'image/webp'],
  ] as const)('of %s is served byte by byte at the address of the profile', async (name, type) => {
    const { token, id } = await signedInUser(service);
    const answer = await pictures.set(token, PICTURES[name]);
    expect(answer).toMatchObject({ status: 200, data: { contentType: type, width: 40, height: 32 } });
    const { profilePictureUrl } = answer.data;
    expect(profilePictureUrl).toMatch(
      new RegExp(`^${service.auth.settings.http.baseUrl}/auth/pictures/[0-9a-f]{32}$`),
    );
    expect((await me(token)).profilePictureUrl).toBe(profilePictureUrl);
    const { response, content } = await pictures.load(String(profilePictureUrl));
    expect(response.status).toBe(200);
    expect(content.equals(PICTURES[name])).toBe(true);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await eventsOf(id, 'picture_changed')).toEqual([
      {
        actor: 'user',
        outcome: 'success',
        details: { contentType: type, width: 40, height: 32, bytes: PICTURES[name].length },
      },
    ]);
  });

  it('keeps nothing of its metadata', async () => {
    const { token, id } = await signedInUser(service);
    const place = jpegSegment(0xe1, 'Exif\0\0GPSLatitude 52.52');
    await pictures.kept(token, Buffer.concat([jpeg.subarray(0, 2), place, jpeg.subarray(2)]));
    expect((await rowsOf(id))[0]?.content).toEqual(jpeg);
  });

  it('replaces the former picture, whose address ends', async () => {
    const { token, id } = await signedInUser(service);
    const first = await pictures.kept(token, png);
    const second = await pictures.kept(token, png);
    expect(second).not.toBe(first);
    expect(await pictures.statusOf(first)).toBe(404);
    expect(await pictures.statusOf(second)).toBe(200);
    expect(await rowsOf(id)).toHaveLength(1);
  });

  it('leaves one picture of many at the same time, and its address is that of the profile', async () => {
    const { token, id } = await signedInUser(service);
    const answers = await Promise.all(Array.from({ length: 8 }, () => pictures.set(token, lossless)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [row] = await rowsOf(id);
    expect((await me(token)).profilePictureUrl).toMatch(new RegExp(`/${String(row?.id)}$`));
    const alive = await Promise.all(
      answers.map(({ data }) => pictures.statusOf(String(data.profilePictureUrl))),
    );
    expect(alive.toSorted()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
  });

  it('is refused from the 21st of an hour on, and not after the hour', async () => {
    const { token } = await signedInUser(service);
    const answers = await Promise.all(Array.from({ length: 24 }, () => pictures.set(token, lossless)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(4);
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 429, body: { reason: 'picture_limit_reached' } });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_500);
    }
    const other = await signedInUser(service);
    await service.sql(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id, occurred_at, details)
       SELECT gen_random_uuid(), 'picture_changed', 'success', 'user', $1, now() - interval '1 hour', '{}'
       FROM generate_series(1, 20)`,
      [other.id],
    );
    expect((await pictures.set(other.token, lossless)).status).toBe(200);
  });
});

describe('a file is refused, and the former picture stays', () => {
  const huge = { width: 65_535, height: 65_535 };
  const small = { pixels: { width: 32, height: 32 } };
  it.each<[string, Buffer]>([
    ['text', Buffer.from('hello')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['GIF', Buffer.from('GIF89a(\0 \0', 'latin1')],
    ['HTML that contains a picture', Buffer.concat([Buffer.from('<script>1</script>'), png])],
    ['a picture that ends early', png.subarray(0, -13)],
    ['a picture of huge size in its header', pngOf(huge, small)],
    ['a picture that is too small', pngOf({ width: 31, height: 40 })],
    ['an animated PNG', pngOf(undefined, { extra: [pngChunk('acTL', Buffer.alloc(8))] })],
    ['an animated WebP', webpOf(webpHeader({ flags: 2 }), lossless.subarray(12))],
  ])('if it is %s', async (_name, file) => {
    const { token, id } = await signedInUser(service);
    const former = await pictures.kept(token, png);
    const answer = await pictures.set(token, file);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'validation_error', errors: [{ pointer: '/content', reason: 'format' }] },
    });
    expect((await me(token)).profilePictureUrl).toBe(former);
    expect(await pictures.statusOf(former)).toBe(200);
    expect(await eventsOf(id, 'picture_changed')).toHaveLength(1);
  });

  it('if it is missing, empty, no base64, or has more than 64 KiB', async () => {
    const { token } = await signedInUser(service);
    const bodies = [{}, { content: '' }, { content: 'no base64!' }, { content: 7 }, { content: null }, []];
    for (const body of bodies) expect((await pictures.send(token, body)).status).toBe(400);
    const noise = (bytes: number) => pngOf(undefined, { extra: [pngChunk('teSt', randomBytes(bytes))] });
    expect((await pictures.set(token, noise(65_000))).status).toBe(200);
    const tooLong = await pictures.set(token, noise(66_000));
    expect(tooLong).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/content', reason: 'too_long' }] },
    });
    expect((await pictures.set(token, noise(80_000))).status).toBe(413);
  });

  it('if it is sent as a file in place of JSON', async () => {
    const { token } = await signedInUser(service);
    const headers = { 'content-type': 'image/png', accept: 'application/problem+json' };
    const answer = await service.client.send('PUT', '/auth/me/picture', { token, raw: png, headers });
    expect(answer).toMatchObject({ status: 400, body: { reason: 'content_type_unsupported' } });
  });
});

describe('the callers', () => {
  it('without an access token, or with an API key, neither upload nor remove a picture', async () => {
    const user = await service.signedIn();
    const { key } = await new ApiKeyClient(service).made(user.accessToken);
    await pictures.kept(user.accessToken, png);
    for (const token of [undefined, 'nonsense', key]) {
      const options = { ...(token !== undefined && { token }), body: { content: png.toString('base64') } };
      const expected = token === key ? 403 : 401;
      expect((await service.api('PUT', '/auth/me/picture', options)).status).toBe(expected);
      expect((await service.api('DELETE', '/auth/me/picture', options)).status).toBe(expected);
    }
    expect(await rowsOf(user.id)).toHaveLength(1);
  });

  it('who act for the user neither upload nor remove a picture', async () => {
    const user = await signedInUser(service);
    const address = await pictures.kept(user.token, png);
    const { token } = await mintActing(service, user.id);
    const refused = { status: 403, body: { reason: 'not_while_acting' } };
    expect(await pictures.set(token, lossless)).toMatchObject(refused);
    expect(await pictures.remove(token)).toMatchObject(refused);
    expect(await pictures.statusOf(address)).toBe(200);
  });
});

describe('the response with a picture', () => {
  it('runs nothing, is kept by the browser alone, and may be shown by pages of any origin', async () => {
    const { token } = await signedInUser(service);
    const address = await pictures.kept(token, lossless);
    const { response } = await pictures.load(address, { headers: { origin: 'https://shop.example.net' } });
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=86400, immutable',
      'content-disposition': 'inline; filename="picture.webp"',
      ...(ON_NEXT ? {} : { 'content-length': String(lossless.length) }),
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('to HEAD has the headers and no body', async () => {
    const { token } = await signedInUser(service);
    const { response, content } = await pictures.load(await pictures.kept(token, png), { method: 'HEAD' });
    const length = ON_NEXT ? null : String(png.length);
    expect([response.status, response.headers.get('content-length')]).toEqual([200, length]);
    expect(content).toHaveLength(0);
  });

  it('is 404 for an address that never was, and 400 for one that cannot be', async () => {
    expect((await service.api('GET', `/auth/pictures/${'0'.repeat(32)}`)).code).toBe('not_found');
    for (const id of ['1', 'A'.repeat(32), '0'.repeat(33), '..%2Fme', `${'0'.repeat(31)}%00`])
      expect((await service.api('GET', `/auth/pictures/${id}`)).code).toBe('validation_error');
  });
});

describe('the profile has one picture, and the later one counts', () => {
  it.each([
    ['another address', FOREIGN],
    ['none', ''],
  ])('an update to %s removes the uploaded picture', async (_name, url) => {
    const { token, id } = await signedInUser(service);
    const address = await pictures.kept(token, png);
    expect((await patch(token, url)).status).toBe(200);
    expect(await pictures.statusOf(address)).toBe(404);
    expect(await rowsOf(id)).toEqual([]);
    expect((await me(token)).profilePictureUrl).toBe(url === '' ? undefined : url);
  });

  it('an upload replaces an address of another host', async () => {
    const { token } = await signedInUser(service);
    await patch(token, FOREIGN);
    const address = await pictures.kept(token, png);
    expect((await me(token)).profilePictureUrl).toBe(address);
  });

  it('an update with the same address, or of other fields, keeps the picture', async () => {
    const { token } = await signedInUser(service);
    const address = await pictures.kept(token, png);
    expect((await patch(token, address)).status).toBe(200);
    await service.api('PATCH', '/auth/me', { token, body: { fullName: 'Ada' } });
    expect(await pictures.statusOf(address)).toBe(200);
  });

  it('an update of staff or of a machine removes it, too', async () => {
    const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const body = { profilePictureUrl: FOREIGN };
    for (const update of [
      (id: string) => service.api('PATCH', `/internal/users/${id}`, { token: staff.token, body }),
      (id: string) => service.machine('PATCH', `/internal/admin/users/${id}`, { body }),
    ]) {
      const user = await signedInUser(service);
      await pictures.kept(user.token, png);
      expect((await update(user.id)).status).toBe(200);
      expect(await rowsOf(user.id)).toEqual([]);
    }
  });
});

describe('the removal', () => {
  it('by the user ends the address, leaves the profile without a picture, and is one row of the audit log', async () => {
    const { token, id } = await signedInUser(service);
    const address = await pictures.kept(token, png);
    expect(await pictures.remove(token)).toMatchObject(OK);
    expect(await pictures.statusOf(address)).toBe(404);
    expect(await me(token)).not.toHaveProperty('profilePictureUrl');
    expect(await eventsOf(id, 'picture_removed')).toEqual([
      { actor: 'user', outcome: 'success', details: {} },
    ]);
    expect(await pictures.remove(token)).toMatchObject({
      status: 404,
      body: { reason: 'picture_not_found' },
    });
  });

  it('of an address of another host is a matter of the profile', async () => {
    const { token } = await signedInUser(service);
    await patch(token, FOREIGN);
    expect(await pictures.remove(token)).toMatchObject({
      status: 404,
      body: { reason: 'picture_not_found' },
    });
    expect((await me(token)).profilePictureUrl).toBe(FOREIGN);
  });

  it('by staff keeps the reason in the audit log, and needs a higher role than that of the user', async () => {
    const [user, moderator, admin, superadmin] = [
      await signedInUser(service),
      await signedInUser(service, { role: 'PLATFORM_MODERATOR' }),
      await signedInUser(service, { role: 'PLATFORM_ADMIN' }),
      await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' }),
    ];
    const remove = (token: string, id: string, body?: object) =>
      service.api('DELETE', `/internal/users/${id}/picture`, { token, ...(body && { body }) });
    for (const { token } of [user, admin]) await pictures.kept(token, png);
    expect((await remove(user.token, admin.id)).status).toBe(403);
    expect((await remove(moderator.token, user.id)).status).toBe(403);
    expect((await remove(admin.token, admin.id)).status).toBe(403);
    expect(await remove(admin.token, user.id, { reason: 'Shows another person.' })).toMatchObject(OK);
    expect((await remove(admin.token, user.id)).status).toBe(404);
    expect(await eventsOf(user.id, 'picture_removed')).toEqual([
      { actor: 'user', outcome: 'success', details: { statedReason: 'Shows another person.' } },
    ]);
    expect(await remove(superadmin.token, admin.id)).toMatchObject(OK);
    expect(await me(admin.token)).not.toHaveProperty('profilePictureUrl');
  });

  it('by staff is refused in a session in which they act for another', async () => {
    const [user, admin] = [
      await signedInUser(service),
      await signedInUser(service, { role: 'PLATFORM_ADMIN' }),
    ];
    await pictures.kept(user.token, png);
    const { token } = await mintActing(service, admin.id);
    expect((await service.api('DELETE', `/internal/users/${user.id}/picture`, { token })).status).toBe(403);
    expect(await rowsOf(user.id)).toHaveLength(1);
  });

  it('by a machine works, and not without the key', async () => {
    const { token, id } = await signedInUser(service);
    await pictures.kept(token, png);
    const path = `/internal/admin/users/${id}/picture`;
    expect((await service.api('DELETE', path)).status).toBe(403);
    expect(await service.machine('DELETE', path)).toMatchObject(OK);
    expect(await rowsOf(id)).toEqual([]);
  });
});

describe('the end of the data', () => {
  it('an export has the file, its format and its size', async () => {
    const user = await service.signedIn();
    const without = await service.api('GET', '/auth/me/export', { token: user.accessToken });
    expect(without.data).not.toHaveProperty('profilePicture');
    await pictures.kept(user.accessToken, lossless);
    const { data } = await service.api('GET', '/auth/me/export', { token: user.accessToken });
    expect(data.profilePicture).toEqual({
      contentType: 'image/webp',
      width: 40,
      height: 32,
      updatedAt: expect.stringMatching(/Z$/) as string,
      content: lossless.toString('base64'),
    });
  });

  it('an erasure removes the picture, and its address is 404', async () => {
    const { token, id } = await signedInUser(service);
    const address = await pictures.kept(token, png);
    const body = { reason: 'Asked for it.' };
    expect(
      (await service.machine('DELETE', `/internal/admin/users/${id}/personal-data`, { body })).status,
    ).toBe(200);
    expect(await rowsOf(id)).toEqual([]);
    expect(await pictures.statusOf(address)).toBe(404);
  });
});

it('without PROFILE_PICTURES no picture is uploaded or served, and staff can still remove one', async () => {
  const off = await serviceForThisTest({ env: { PROFILE_PICTURES: 'off' } });
  const { token, id } = await signedInUser(off);
  await off.sql(
    `INSERT INTO user_pictures (user_id, id, content, content_type, width, height) VALUES ($1, $2, $3, 'image/png', 40, 32)`,
    [id, 'a'.repeat(32), png],
  );
  const client = new PictureClient(off);
  for (const answer of [await client.set(token, png), await client.remove(token)])
    expect(answer).toMatchObject({ status: 404, body: { reason: 'endpoint_not_found' } });
  expect((await off.api('GET', `/auth/pictures/${'a'.repeat(32)}`)).status).toBe(404);
  expect(await off.machine('DELETE', `/internal/admin/users/${id}/picture`)).toMatchObject(OK);
});
