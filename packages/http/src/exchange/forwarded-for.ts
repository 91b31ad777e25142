/** `192.0.2.1:443`. An IPv6 address without brackets cannot have a port. */
const IPV4_AND_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;
/** `[2001:db8::1]:443` or `[2001:db8::1]`, in quotation marks as RFC 7239 (section 6) writes it. */
const IPV6_IN_BRACKETS = /^"?\[([0-9a-f:.]+(?:%[^\]"]*)?)\](?::\d{1,5})?"?$/i;

/** Returns an address without its port: some proxies forward the port of the client with its address. */
export function withoutPort(address: string): string {
  return address.replace(IPV4_AND_PORT, '$1').replace(IPV6_IN_BRACKETS, '$1');
}

/** Returns an `X-Forwarded-For` header whose addresses have no ports. */
export function withoutPorts(forwardedFor: string): string {
  return forwardedFor
    .split(',')
    .map((part) => withoutPort(part.trim()))
    .join(', ');
}
