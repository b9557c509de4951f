export const TYPE_PROJECTS: readonly string[];
export const TYPE_CHECKER: string;
