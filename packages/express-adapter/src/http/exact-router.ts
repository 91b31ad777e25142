import { Router } from 'express';

/**
 * Returns a router that matches paths exactly. A proxy rule for `/internal` does not cover `/Internal`, so that path must
 * not match either.
 */
export const exactRouter = (): Router => Router({ caseSensitive: true, strict: true });
