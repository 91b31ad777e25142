import { faultsOfDeployment, faultsOfSelector } from './deployment-rules.js';
import { faultsOfIngress } from './ingress-rules.js';
import { containersOf, faultsOfPods, type PodSurroundings } from './pod-rules.js';
import { asList, asMap, asText, at, type YamlMap } from './yaml-documents.js';

/** Objects that belong to the namespace's Deployment, and where they say which pods they mean. */
const SELECTORS: Readonly<Record<string, readonly string[]>> = {
  Service: ['spec', 'selector'],
  PodDisruptionBudget: ['spec', 'selector', 'matchLabels'],
  NetworkPolicy: ['spec', 'podSelector', 'matchLabels'],
};

/** Returns the faults of the objects together, as texts. */
export function faultsOfObjects(objects: readonly YamlMap[], image: string): string[] {
  const surroundings = surroundingsOf(objects);
  const deployments = ofKind(objects, 'Deployment');
  const [deployment] = deployments;
  if (!deployment || deployments.length > 1) return ['there is not exactly one Deployment'];
  const workloads = [deployment, ...ofKind(objects, 'Job')];
  return [
    ...workloads.flatMap((workload) => named(workload, faultsOfPods(workload, surroundings))),
    ...workloads.flatMap((workload) => named(workload, faultsOfVersion(workload, image))),
    ...named(deployment, faultsOfDeployment(deployment, surroundings)),
    ...objects.flatMap((object) => named(object, faultsOfReferences(object, deployment))),
    ...ofKind(objects, 'Ingress').flatMap((ingress) =>
      named(ingress, faultsOfIngress(ingress, ofKind(objects, 'Service'))),
    ),
    ...['Service', 'Ingress', 'PodDisruptionBudget', 'NetworkPolicy', 'Job']
      .filter((kind) => ofKind(objects, kind).length === 0)
      .map((kind) => `there is no ${kind}`),
  ];
}

const ofKind = (objects: readonly YamlMap[], kind: string): YamlMap[] =>
  objects.filter((object) => object.kind === kind);

const nameOf = (object: YamlMap): string => asText(at(object, 'metadata', 'name'));

const named = (object: YamlMap, faults: readonly string[]): string[] =>
  faults.map((fault) => `${asText(object.kind)} ${nameOf(object)}: ${fault}`);

function surroundingsOf(objects: readonly YamlMap[]): PodSurroundings {
  return {
    configMaps: new Map(
      ofKind(objects, 'ConfigMap').map((map) => [nameOf(map), asMap(map.data) as Record<string, string>]),
    ),
    secrets: new Map(
      ofKind(objects, 'Secret').map((secret) => [nameOf(secret), Object.keys(asMap(secret.stringData))]),
    ),
  };
}

function faultsOfVersion(workload: YamlMap, image: string): string[] {
  return containersOf(at(workload, 'spec', 'template', 'spec'))
    .filter((container) => container.image !== image)
    .map((container) => `its image is ${asText(container.image)}, not ${image}`);
}

/** The references of one object to another: by labels, by name, by the name of a port. */
function faultsOfReferences(object: YamlMap, deployment: YamlMap): string[] {
  const place = SELECTORS[asText(object.kind)];
  return [
    ...(place ? faultsOfSelector('its selector', at(object, ...place), deployment) : []),
    ...faultsOfTarget(object, deployment),
    ...faultsOfPortNames(object, deployment),
  ];
}

function faultsOfTarget(object: YamlMap, deployment: YamlMap): string[] {
  const target = at(object, 'spec', 'scaleTargetRef', 'name');
  return target === undefined || target === nameOf(deployment) ? [] : [`it scales ${asText(target)}`];
}

function faultsOfPortNames(object: YamlMap, deployment: YamlMap): string[] {
  const [container = {}] = containersOf(at(deployment, 'spec', 'template', 'spec'));
  const known = asList(container.ports).map((port) => at(port, 'name'));
  const inward = asList(at(object, 'spec', 'ingress')).flatMap((rule) => asList(at(rule, 'ports')));
  const used = [
    ...(object.kind === 'Service'
      ? asList(at(object, 'spec', 'ports')).map((port) => at(port, 'targetPort'))
      : []),
    ...inward.map((port) => at(port, 'port')),
  ];
  return used.filter((port) => !known.includes(port)).map((port) => `the pods have no port ${asText(port)}`);
}
