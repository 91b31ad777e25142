import { Router } from 'express';
import type { Auth } from '@latchkey/core';
import { getAccess, getAuth, type Guards } from '@latchkey/express-adapter';
import type { Activity } from './activity.js';
import type { CompanyRepository } from './company-repository.js';

interface CompanyRoutesDeps {
  auth: Auth;
  companies: CompanyRepository;
  activity: Activity;
}

/** Routes for the signed-in user, their companies and a company's recent activity. */
export function companyRoutes(
  { auth, companies, activity }: CompanyRoutesDeps,
  { requireAuth, requireAccess, requireRole }: Guards,
): Router {
  const router = Router();

  router.get('/me', requireAuth, async (request, response) => {
    const { userId, sessionId } = getAuth(request);
    const { user, companyMemberships } = await auth.admin.users.context(userId);
    const places = new Map(companyMemberships.map(({ companyId, role }) => [companyId, role]));
    const own = await companies.findAll([...places.keys()]);
    response.json({
      email: user.email,
      fullName: user.fullName,
      sessionId,
      companies: own.map(({ id, name }) => ({ id, name, role: places.get(id) })),
    });
  });

  router.get('/activity', requireAccess({ module: 'invoicing' }), async (request, response) => {
    response.json(await activity.of(getAccess(request).companyId));
  });

  // For staff of the platform, in every company.
  router.get(
    '/companies',
    requireRole('PLATFORM_ADMIN', 'PLATFORM_SUPERADMIN'),
    async (_request, response) => {
      response.json(await companies.list());
    },
  );

  return router;
}
