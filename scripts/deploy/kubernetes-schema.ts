import { createRequire } from 'node:module';
import type { Model } from '@kubernetes-models/base';
import { asText, type YamlMap } from './yaml-documents.js';

const load = createRequire(import.meta.url);

type ModelClass = new (data: YamlMap) => Model<unknown>;

/** What the schema of Kubernetes says against an object, in words. */
export function faultsOfSchema(object: YamlMap): string[] {
  const [apiVersion, kind] = [asText(object.apiVersion), asText(object.kind)];
  const ModelOfKind = modelOf(apiVersion, kind);
  if (!ModelOfKind) return [`Kubernetes knows no ${kind} of ${apiVersion}`];
  try {
    new ModelOfKind(object).validate();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function modelOf(apiVersion: string, kind: string): ModelClass | undefined {
  try {
    const models = load(`kubernetes-models/${apiVersion}`) as Record<string, ModelClass>;
    return models[kind];
  } catch {
    return undefined;
  }
}
