export const TYPE_PROJECTS: readonly string[];
