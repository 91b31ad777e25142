export type Plan = 'basic' | 'full';

export interface Company {
  id: string;
  name: string;
  plan: Plan;
  /** Where its people have their mail: `nordwind.example`. */
  mailDomain: string;
}

/** Everybody may write invoices; reports come with the full plan. */
export const modulesOf = (plan: Plan): string[] =>
  plan === 'full' ? ['invoicing', 'reports'] : ['invoicing'];
