export function installFolder(folder: string, what: string): void;
export function directVersions(folder: string): Record<string, string>;
export function notInstalled(versions: Record<string, string>, at: string): string[];
