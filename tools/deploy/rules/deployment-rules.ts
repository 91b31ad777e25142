import { isDeepStrictEqual } from 'node:util';
import { containersOf, environmentOf, type PodSurroundings } from './pod-rules.js';
import { defaultOf, faultsOfAllSettings } from './setting-rules.js';
import { faultsOfStop } from './stop-time.js';
import { asList, asMap, asText, at, type YamlMap } from './yaml-documents.js';

/** Returns the faults of a Deployment of the service, looked at by itself. */
export function faultsOfDeployment(deployment: YamlMap, surroundings: PodSurroundings): string[] {
  const pod = at(deployment, 'spec', 'template', 'spec');
  const [container = {}] = containersOf(pod);
  const environment = environmentOf(container, surroundings);
  return [
    ...faultsOfProbes(container),
    ...faultsOfAllSettings(environment),
    ...faultsOfPorts(deployment, container, environment),
    ...faultsOfGracePeriod(asMap(pod), container, environment),
    ...faultsOfSelector('its selector', at(deployment, 'spec', 'selector', 'matchLabels'), deployment),
  ];
}

/** Reports whether a selector matches the labels of the deployment's pods. */
export function faultsOfSelector(whose: string, wanted: unknown, deployment: YamlMap): string[] {
  const labels = asMap(at(deployment, 'spec', 'template', 'metadata', 'labels'));
  const entries = Object.entries(asMap(wanted));
  const fits = entries.length > 0 && entries.every(([name, value]) => labels[name] === value);
  return fits ? [] : [`${whose} does not fit the labels of the pods`];
}

/** A liveness probe that asked the stores would restart every replica while one of them is unavailable. */
function faultsOfProbes(container: YamlMap): string[] {
  const wanted = { startupProbe: '/health', livenessProbe: '/health', readinessProbe: '/ready' };
  return Object.entries(wanted)
    .filter(([probe, path]) => !isDeepStrictEqual(at(container, probe, 'httpGet'), { path, port: 'http' }))
    .map(([probe, path]) => `${probe} does not ask GET ${path}`);
}

function faultsOfPorts(
  deployment: YamlMap,
  container: YamlMap,
  environment: Record<string, string>,
): string[] {
  const portOf = (name: string) =>
    asText(
      at(
        asList(container.ports).find((port) => at(port, 'name') === name),
        'containerPort',
      ),
    );
  const annotations = at(deployment, 'spec', 'template', 'metadata', 'annotations');
  const scraped = asText(at(annotations, 'prometheus.io/port'));
  const pairs: [what: string, found: string, wanted: string][] = [
    ['the port http', portOf('http'), environment.PORT ?? defaultOf('PORT')],
    ['the port metrics', portOf('metrics'), environment.METRICS_PORT ?? ''],
    ['the scraped port', scraped, environment.METRICS_PORT ?? ''],
    // Monitoring comes from outside the pod, and so do the probes.
    ['METRICS_HOST', environment.METRICS_HOST ?? defaultOf('METRICS_HOST'), '0.0.0.0'],
    ['HOST', environment.HOST ?? defaultOf('HOST'), '0.0.0.0'],
  ];
  return pairs
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what} is ${found || 'missing'}, not ${wanted}`);
}

/** The grace period covers a preStop sleep, the delay, the draining and the open requests. */
function faultsOfGracePeriod(
  pod: YamlMap,
  container: YamlMap,
  environment: Record<string, string>,
): string[] {
  const graceSeconds = Number(pod.terminationGracePeriodSeconds);
  const sleep = Number(at(container, 'lifecycle', 'preStop', 'sleep', 'seconds') ?? 0);
  return faultsOfStop(environment, { graceSeconds, sleep });
}
