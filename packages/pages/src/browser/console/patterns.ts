/** An id as the service takes it. Filters wait until one is complete. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An email address, roughly; the service decides. */
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
