import { isLocalHost } from '../kernel/local-host.js';

/**
 * The security of the connection to a mail server: by TLS from its first byte, by STARTTLS or not used, by STARTTLS where
 * the server offers it, or not at all.
 */
export type SmtpSecurity = 'tls' | 'starttls' | 'opportunistic' | 'none';

/** The mail server and the sender address. */
export interface SmtpServer {
  /** `smtp://` or `smtps://`, credentials percent-encoded. */
  url: string;
  security: SmtpSecurity;
  /** The sender, for example `Latchkey <no-reply@example.com>`. */
  from: string;
}

/**
 * Returns how the connection must be secured. STARTTLS that is merely offered can be taken out of the greeting by anybody
 * on the way, so production insists on it, unless the server is on this machine or the URL says `?tls=none`.
 */
export function smtpSecurityOf(url: string, isProduction: boolean): SmtpSecurity {
  const { protocol, hostname, searchParams } = new URL(url);
  if (protocol === 'smtps:') return 'tls';
  const wanted = searchParams.get('tls');
  if (wanted === 'none') return 'none';
  const isRequired = wanted === 'required' || (isProduction && !isLocalHost(hostname));
  return isRequired ? 'starttls' : 'opportunistic';
}

/** Returns `host:port`, the usual port where none is named. */
export function serverNameOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const usual = protocol === 'smtps:' ? '465' : '587';
  return `${hostname}:${port === '' ? usual : port}`;
}
