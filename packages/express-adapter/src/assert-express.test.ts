import { application } from 'express';
import { expect, it } from 'vitest';
import { assertExpress5 } from './assert-express.js';

it('assertExpress5 accepts the app of Express 5', () => {
  expect(() => assertExpress5(application)).not.toThrow();
});

it('assertExpress5 rejects the app of Express 4, which has del', () => {
  expect(() => assertExpress5({ get: () => undefined, del: () => undefined })).toThrow(
    new TypeError('createAuthRouter requires Express 5, but this app is Express 4: npm install express@5'),
  );
});
