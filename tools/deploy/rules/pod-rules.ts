import { faultsOfImage } from './image-rules.js';
import { faultsOfSettings } from './setting-rules.js';
import { asList, asMap, asText, at, type YamlMap } from './yaml-documents.js';

/** The mount path of the Secret. */
const SECRETS = '/run/secrets/latchkey/';

/** The objects that pods refer to. */
export interface PodSurroundings {
  /** The data of ConfigMaps, by their names. */
  configMaps: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** The keys of Secrets, by their names. */
  secrets: ReadonlyMap<string, readonly string[]>;
}

/** Returns the faults of the pods of a Deployment or Job, as texts. */
export function faultsOfPods(workload: YamlMap, surroundings: PodSurroundings): string[] {
  const pod = asMap(at(workload, 'spec', 'template', 'spec'));
  return [
    ...faultsOfPodRights(pod),
    ...containersOf(pod).flatMap((container) => [
      ...faultsOfContainerRights(container),
      ...faultsOfImage(asText(container.image)),
      ...(at(container, 'resources', 'requests', 'memory') === undefined ? ['requests no memory'] : []),
      ...(at(container, 'resources', 'limits', 'memory') === undefined ? ['memory has no limit'] : []),
      ...faultsOfEnvironment(pod, container, surroundings),
    ]),
  ];
}

export const containersOf = (pod: unknown): YamlMap[] => asList(at(pod, 'containers')).map(asMap);

/** The restricted profile of the Pod Security Standards, as far as it is about a whole pod. */
function faultsOfPodRights(pod: YamlMap): string[] {
  const requirements: [place: readonly string[], wanted: unknown][] = [
    [['securityContext', 'runAsNonRoot'], true],
    [['securityContext', 'seccompProfile', 'type'], 'RuntimeDefault'],
    [['automountServiceAccountToken'], false],
    [['enableServiceLinks'], false],
  ];
  return unmet(pod, requirements);
}

function faultsOfContainerRights(container: YamlMap): string[] {
  const requirements: [place: readonly string[], wanted: unknown][] = [
    [['securityContext', 'allowPrivilegeEscalation'], false],
    [['securityContext', 'readOnlyRootFilesystem'], true],
    [['securityContext', 'capabilities', 'drop', '0'], 'ALL'],
  ];
  return unmet(container, requirements);
}

const unmet = (
  holder: YamlMap,
  requirements: readonly [place: readonly string[], wanted: unknown][],
): string[] =>
  requirements
    .filter(([place, wanted]) => at(holder, ...place) !== wanted)
    .map(([place, wanted]) => `${place.join('.')} is not ${String(wanted)}`);

/** The variables of a container, those of its ConfigMaps among them. */
export function environmentOf(container: YamlMap, { configMaps }: PodSurroundings): Record<string, string> {
  const taken = asList(container.envFrom).map((entry) =>
    configMaps.get(asText(at(entry, 'configMapRef', 'name'))),
  );
  const own = asList(container.env).map(
    (entry) => [asText(at(entry, 'name')), asText(at(entry, 'value'))] as const,
  );
  return { ...Object.assign({}, ...taken), ...Object.fromEntries(own) } as Record<string, string>;
}

function faultsOfEnvironment(pod: YamlMap, container: YamlMap, surroundings: PodSurroundings): string[] {
  const environment = environmentOf(container, surroundings);
  const keys = mountedKeys(pod, container, surroundings.secrets);
  const used = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
  const names = asList(container.envFrom).map((entry) => asText(at(entry, 'configMapRef', 'name')));
  return [
    ...faultsOfSettings(environment),
    ...names
      .filter((name) => !surroundings.configMaps.has(name))
      .map((name) => `there is no ConfigMap ${name}`),
    ...used
      .filter(([, file]) => !keys.has(file))
      .map(([name, file]) => `${name} names ${file}, which is not mounted`),
    ...[...keys]
      .filter((file) => !used.some(([, other]) => other === file))
      .map((file) => `${file} is mounted and not used`),
  ];
}

/** The paths under which a container sees keys of Secrets. */
function mountedKeys(pod: YamlMap, container: YamlMap, secrets: PodSurroundings['secrets']): Set<string> {
  const isMounted = asList(container.volumeMounts).some(
    (mount) => `${asText(at(mount, 'mountPath'))}/` === SECRETS,
  );
  const volumes = asList(pod.volumes).map((volume) => asMap(at(volume, 'secret')));
  const keys = volumes.flatMap(({ secretName, items }) => {
    const all = secrets.get(asText(secretName)) ?? [];
    const chosen = asList(items).map((item) => asText(at(item, 'key')));
    return items === undefined ? all : chosen.filter((key) => all.includes(key));
  });
  return new Set(isMounted ? keys.map((key) => SECRETS + key) : []);
}
