import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { company } from './company.js';
import { CoreService } from './core-service.js';

const port = Number(process.env.CORE_PORT ?? 3098);
const apiKey = process.env.CORE_INTERNAL_API_KEY ?? 'core-key-for-development';
const file = new URL('companies.json', import.meta.url);
const companies = z.record(z.guid(), company).parse(JSON.parse(readFileSync(file, 'utf8')));

const service = await CoreService.start({ port, apiKey, companies });

console.log(`The core service for development listens on ${service.url}. Start Latchkey with

  CORE_BASE_URL=${service.url} CORE_INTERNAL_API_KEY=${apiKey} npm start

Its companies:
${Object.entries(companies)
  .map(
    ([id, { modules, accessPolicyMode = 'LEGACY' }]) => `  ${id}  ${accessPolicyMode}: ${modules.join(', ')}`,
  )
  .join('\n')}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void service.stop());
}
