import { asList, asText, at, type YamlMap } from './yaml-documents.js';

/** The paths that outside clients need. */
const PUBLIC = [
  '/auth/login',
  '/.well-known/jwks.json',
  '/login',
  '/register',
  '/account',
  '/accept-invitation',
  '/reset-password',
  '/verify-email',
  '/reject-registration',
  '/change-email',
  '/undo-email-change',
  '/undo-deletion',
  '/external/callback/google',
];

/** The paths for machines, monitoring and probes. */
const INNER = [
  '/internal/users',
  '/internal/admin/users',
  '/metrics',
  '/ready',
  '/dev/mail',
  '/docs',
  '/console',
  '/',
];

/** Returns what is wrong with an Ingress beside these Services. */
export function faultsOfIngress(ingress: YamlMap, services: readonly YamlMap[]): string[] {
  const rules = asList(at(ingress, 'spec', 'rules'));
  const paths = rules.flatMap((rule) => asList(at(rule, 'http', 'paths')));
  const encrypted = asList(at(ingress, 'spec', 'tls')).flatMap((tls) => asList(at(tls, 'hosts')));
  const reaches = (target: string) => paths.some((path) => leadsTo(path, target));
  return [
    ...(at(ingress, 'spec', 'defaultBackend') === undefined ? [] : ['it has a default backend']),
    ...rules
      .map((rule) => at(rule, 'host'))
      .filter((host) => !encrypted.includes(host))
      .map((host) => `${asText(host)} has no TLS`),
    ...INNER.filter(reaches).map((path) => `${path} can be reached from outside`),
    ...PUBLIC.filter((path) => !reaches(path)).map((path) => `${path} cannot be reached from outside`),
    ...paths.flatMap((path) => faultsOfBackend(path, services)),
  ];
}

/** Reports whether a path leads to the target. Path types that each controller reads in its own way may lead anywhere. */
function leadsTo(path: unknown, target: string): boolean {
  const [text, type] = [asText(at(path, 'path')).replace(/\/$/, ''), at(path, 'pathType')];
  if (type === 'Exact') return text === target;
  if (type === 'Prefix') return target === text || target.startsWith(`${text}/`);
  return true;
}

function faultsOfBackend(path: unknown, services: readonly YamlMap[]): string[] {
  const name = asText(at(path, 'backend', 'service', 'name'));
  const port = at(path, 'backend', 'service', 'port', 'name');
  const service = services.find((each) => at(each, 'metadata', 'name') === name);
  if (!service) return [`there is no Service ${name}`];
  const known = asList(at(service, 'spec', 'ports')).map((each) => at(each, 'name'));
  return known.includes(port) ? [] : [`the Service ${name} has no port ${asText(port)}`];
}
