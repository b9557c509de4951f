export function configFile(name?: string): string;
export function readConfig(path: string): { address: string | undefined; faults: string[] };
export const REQUIRED: { scopes: string[]; topics: string[]; sections: string[] };
export function strayAddresses(folder: string, name?: string): string[];
