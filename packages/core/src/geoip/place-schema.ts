import { z } from 'zod';

/** The approximate place of an IP address. */
export const place = z
  .object({
    country: z.string().describe('ISO 3166-1 code, such as `DE`.'),
    city: z.string().optional().describe('English name, if the database knows a city.'),
  })
  .meta({ id: 'Place' });
