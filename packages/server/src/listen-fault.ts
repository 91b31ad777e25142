import { SettingsError } from '@latchkey/core';

/** The address to listen on, and the settings that name it. */
export interface ListenAddress {
  host: string;
  port: number;
  /** Precedes `HOST` and `PORT`. Defaults to nothing. */
  prefix?: string;
}

/** Returns the faulty setting if the system refuses an address; other errors are returned unchanged. */
export function listenFault(error: NodeJS.ErrnoException, { host, port, prefix = '' }: ListenAddress): Error {
  const portFault = {
    name: `${prefix}PORT`,
    expected: 'a port that this account may listen on, from 0 to 65535',
  };
  const hostFault = {
    name: `${prefix}HOST`,
    expected: 'an address of this machine, such as 127.0.0.1, 0.0.0.0 or ::',
  };
  const { code = '' } = error;
  if (code === 'EADDRINUSE') {
    return faultOf(
      portFault,
      `${port}, which another program uses`,
      'stop that program, or set another port',
    );
  }
  if (FORBIDDEN.has(code)) {
    return faultOf(
      portFault,
      `${port}, which this account may not use`,
      'set a port above 1023 and let a proxy listen on this one, or allow it: CAP_NET_BIND_SERVICE',
    );
  }
  if (!UNKNOWN_HOST.has(code)) return error;
  return faultOf(
    hostFault,
    `${host}, which is no address of this machine (${code})`,
    `correct or remove ${prefix}HOST${prefix === '' ? '; some shells set HOST themselves' : ''}`,
  );
}

const FORBIDDEN = new Set(['EACCES', 'EPERM']);
const UNKNOWN_HOST = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EINVAL',
]);

const faultOf = (setting: { name: string; expected: string }, found: string, fix: string): SettingsError =>
  new SettingsError([{ ...setting, found, fix }]);
