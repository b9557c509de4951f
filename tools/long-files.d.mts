export const LONG_FILES: string[];
