import { AuthError } from '@latchkey/core';

interface Invoice {
  id: string;
  customer: string;
  isApproved: boolean;
}

/** The invoices of the app, by company: two each, in memory. */
export class Invoices {
  readonly #byCompany = new Map<string, Invoice[]>();

  /** Returns the invoices of a company. */
  of(companyId: string): readonly Invoice[] {
    const known = this.#byCompany.get(companyId);
    if (known) return known;
    const invoices = ['Ada & Sons', 'Borealis'].map((customer, index) => ({
      id: String(index + 1),
      customer,
      isApproved: false,
    }));
    this.#byCompany.set(companyId, invoices);
    return invoices;
  }

  /** Approves an invoice of a company. @throws AuthError `not_found`. */
  approve(companyId: string, id: string): Invoice {
    const invoice = this.of(companyId).find((each) => each.id === id);
    if (!invoice) throw AuthError.notFound('The invoice');
    invoice.isApproved = true;
    return invoice;
  }
}
