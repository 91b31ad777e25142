import { parseAllDocuments } from 'yaml';
import type { Fault } from './fault.js';
import type { CodeBlock } from './page.js';

/** JSON and YAML blocks that do not parse. */
export function dataFaults(blocks: readonly CodeBlock[]): Fault[] {
  return blocks.flatMap(({ file, line, language, code }) => {
    const message = language === 'json' ? jsonFault(code) : isYaml(language) ? yamlFault(code) : undefined;
    return message === undefined ? [] : [{ file, line, message }];
  });
}

const isYaml = (language: string): boolean => language === 'yaml' || language === 'yml';

function jsonFault(code: string): string | undefined {
  try {
    JSON.parse(code);
    return undefined;
  } catch (error) {
    return `no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function yamlFault(code: string): string | undefined {
  const [error] = [...parseAllDocuments(code)].flatMap((document) => document.errors);
  return error && `no YAML: ${error.message}`;
}
