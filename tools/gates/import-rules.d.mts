/** The modules of the app, from the top down: each may import what stands behind it. */
export const MODULE_ORDER: readonly string[];
