import { z } from 'zod';

export interface Invoice {
  id: string;
  /** Consecutive within a company. */
  number: number;
  customer: string;
  cents: number;
  createdBy: string;
  /** Null until it is approved. */
  approvedBy: string | null;
}

export const newInvoice = z.object({
  customer: z.string().trim().min(1, 'is empty').max(100),
  cents: z.int().min(1, 'must be more than nothing').max(100_000_000),
});
export type NewInvoice = z.output<typeof newInvoice>;

export const invoiceId = z.object({ id: z.guid('must be a UUID') });
