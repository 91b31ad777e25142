import { asList, asText, at, type YamlMap } from './yaml-documents.js';

/** Neither is applied with the others. */
const APART = ['kustomization.yaml', 'secret.example.yaml'];

/** Returns the faults of a kustomization that lies beside these files. */
export function faultsOfKustomization(
  kustomization: YamlMap,
  files: readonly string[],
  version: string,
): string[] {
  const resources = asList(kustomization.resources).map(asText);
  const wanted = files.filter((file) => !APART.includes(file));
  const tags = asList(kustomization.images).map((image) => asText(at(image, 'newTag')));
  return [
    ...wanted.filter((file) => !resources.includes(file)).map((file) => `${file} is not among the resources`),
    ...resources.filter((file) => !wanted.includes(file)).map((file) => `there is no resource ${file}`),
    ...tags.filter((tag) => tag !== version).map((tag) => `the tag is ${tag}, not ${version}`),
  ];
}
