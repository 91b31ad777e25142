export const INTERNAL_KEY_HEADER = 'x-internal-api-key';

export const SERVICE_TOKEN_HEADER = 'x-service-token';
