/** The companies of the app. A real one keeps them in its database. */
export const COMPANIES = [
  {
    id: '0b8f3a52-6d0e-4b58-9a55-1f2b8e0c7a01',
    name: 'Nordwind Logistics',
    modules: ['invoices', 'reports'],
  },
  { id: '4c1d9e77-2f3a-4e6b-8b1c-9d5e6f7a8b02', name: 'Papier & Co', modules: ['invoices'] },
];
