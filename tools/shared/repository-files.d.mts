export const root: string;
export function repositoryFiles(): string[];
export function readText(file: string): string;
