/** The owners that have webhooks: none, the platform, or companies too. */
export const WEBHOOK_MODES = ['off', 'platform', 'all'] as const;
export type WebhookMode = (typeof WEBHOOK_MODES)[number];
