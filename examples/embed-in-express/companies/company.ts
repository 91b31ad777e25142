export type Plan = 'basic' | 'full';

export interface Company {
  id: string;
  name: string;
  plan: Plan;
  /** The mail domain of its members, such as `nordwind.example`. */
  mailDomain: string;
}

/** The modules of each plan: invoices in all, reports in the full one. */
export const modulesOf = (plan: Plan): string[] =>
  plan === 'full' ? ['invoicing', 'reports'] : ['invoicing'];
