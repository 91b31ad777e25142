import { application } from 'express';
import { expect, it } from 'vitest';
import { assertExpress5 } from './assert-express.js';

it('Express 5 is what this is written for', () => {
  expect(() => assertExpress5(application)).not.toThrow();
});

it('Express 4, whose apps have del, is told to be too old', () => {
  expect(() => assertExpress5({ get: () => undefined, del: () => undefined })).toThrow(
    new TypeError('createAuthRouter needs Express 5, and this is Express 4: npm install express@5'),
  );
});
