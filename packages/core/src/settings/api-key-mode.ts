export const API_KEY_MODES = ['off', 'personal', 'company', 'all'] as const;
/** The API keys that exist: none, those of users, those of companies, or both. */
export type ApiKeyMode = (typeof API_KEY_MODES)[number];
