import { Router } from 'express';

/**
 * Returns a router that takes each path as it is written. A rule of a proxy on `/internal` would not see `/Internal`,
 * so that path must not lead there either.
 */
export const exactRouter = (): Router => Router({ caseSensitive: true, strict: true });
