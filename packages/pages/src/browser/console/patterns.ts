/** An id as the service takes it. Filters wait until one is complete. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An IP address or a network, roughly; the service decides. Filters wait until one is complete. */
export const NETWORK = /^(\d{1,3}(\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*)(\/\d{1,3})?$/i;
