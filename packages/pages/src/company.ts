import type { Auth } from '@latchkey/core';
import { type HttpRequest, queryOf } from '@latchkey/http/internal';
import type { Messages } from './messages/messages.js';
import { appData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { safeReturnTo } from './return-to.js';

/** `GET /company` and `GET /company/{companyId}`: a company for those who administer it, and for those who may invite to it. */
export const companyPage = (auth: Auth, request: HttpRequest, { company }: Messages): PageContent => ({
  layout: 'app',
  title: company.title,
  script: 'company.js',
  data: {
    ...appData(auth),
    ...(auth.staffActing && { 'is-for-acting': 'true' }),
    'has-company-keys': String(['company', 'all'].includes(auth.settings.apiKeys.mode)),
    'has-company-webhooks': String(auth.facts.webhooks === 'all'),
    'return-to': safeReturnTo(queryOf(request).returnTo, auth.settings.http) ?? '',
  },
});
