export { firstAdministratorEndpoints } from './first-administrator.js';
export { firstRunOf } from './first-run.js';
export type { HomeFacts } from './home-facts.js';
export { homeEndpoint } from './home.js';
export { notFoundResponse } from './not-found.js';
export { referencePage } from './reference-page.js';
export { withSlashRedirects } from './trailing-slash.js';
