/**
 * Returns true if a host name or address can only mean this machine: `localhost` and names below it (RFC 6761
 * section 6.3), 127.0.0.0/8 and `::1`. @param host as in a URL, IPv6 addresses in brackets.
 */
export function isLocalHost(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
  );
}
