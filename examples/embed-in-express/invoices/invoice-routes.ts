import { json, Router } from 'express';
import { AuthError } from '@latchkey/core';
import { getAccess, getAuth, type Guards } from '@latchkey/express-adapter';
import { parsed } from '../parsed.js';
import type { InvoiceRepository } from './invoice-repository.js';
import { invoiceId, newInvoice } from './invoice.js';

/** Maximum age of the sign-in for approving. */
const FRESH = '5m';

/** Routes for the invoices of the company in `x-org`. Guards authorize; handlers only read the caller. */
export function invoiceRoutes(invoices: InvoiceRepository, { requireAccess, requireFresh }: Guards): Router {
  const router = Router();

  router.get('/', requireAccess({ module: 'invoicing' }), async (request, response) => {
    const { companyId, permissions } = getAccess(request);
    response.json({
      invoices: await invoices.list(companyId),
      mayApprove: permissions.includes('invoices.approve'),
    });
  });

  router.post('/', requireAccess({ module: 'invoicing' }), json(), async (request, response) => {
    const { companyId } = getAccess(request);
    const invoice = parsed(newInvoice, request.body);
    response.status(201).json(await invoices.add(companyId, invoice, getAuth(request).userId));
  });

  router.post(
    '/:id/approve',
    requireAccess({ module: 'invoicing', permission: 'invoices.approve' }),
    requireFresh(FRESH),
    async (request, response) => {
      const { companyId } = getAccess(request);
      const { id } = parsed(invoiceId, request.params);
      const approved = await invoices.approve(companyId, id, getAuth(request).userId);
      if (!approved)
        throw AuthError.conflict('There is no such invoice to approve, or it has been approved.');
      response.json(approved);
    },
  );

  return router;
}
