import Bowser from 'bowser';
import type { ClientInfo } from '../kernel/client-info.js';

const MAX_LENGTH = 100;

/**
 * Returns the name of a device in lists: the name that the client sent, else one such as "Chrome on macOS";
 * null when unknown.
 */
export function deviceNameOf(client: ClientInfo): string | null {
  if (client.deviceName) return shortened(client.deviceName);
  return client.userAgent ? describeUserAgent(client.userAgent) : null;
}

function describeUserAgent(userAgent: string): string | null {
  const { browser, os } = Bowser.parse(userAgent);
  const name = [browser.name, os.name].filter(Boolean).join(' on ');
  return name === '' ? null : shortened(name);
}

/** By code points: half of a pair of surrogates is no text that can be stored. */
const shortened = (name: string): string => Array.from(name).slice(0, MAX_LENGTH).join('');
