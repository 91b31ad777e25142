import type { ApiOptions } from './api-client.js';
import type { TestService } from './service.js';

/** The device of a person, as its requests show it. */
export interface PersonDevice {
  ipAddress: string;
  userAgent: string;
  deviceName: string;
}

/** Returns the service as it is called by a person: every request has the address and the names of their device. */
export function calledFrom(service: TestService, device: PersonDevice): TestService {
  const headers = {
    'x-forwarded-for': device.ipAddress,
    'user-agent': device.userAgent,
    'x-device-name': device.deviceName,
  };
  const api = (method: string, path: string, options: ApiOptions = {}) =>
    service.api(method, path, { ...options, headers: { ...headers, ...options.headers } });
  return new Proxy(service, {
    get(target, name) {
      if (name === 'api') return api;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
