/**
 * Rules on imports that a linter of single files cannot see: circles and the order of modules. Read by
 * dependency-cruiser. Which adapter may know which is said in biome.json.
 */

/** Imports go down this list only, and only to files at a module's top level (docs/architecture.md). */
export const MODULE_ORDER = [
  "reports",
  "lifecycle",
  "notifications",
  "privacy",
  "access",
  "orders",
  "catalogue",
  "referrals",
  "patients",
  "shops",
  "kernel",
];

const upwards = MODULE_ORDER.slice(1).map((name, index) => ({
  name: `${name}-imports-downwards`,
  comment: `modules/${name} imports only modules that stand below it in MODULE_ORDER.`,
  severity: "error",
  from: { path: `^app/modules/${name}/` },
  to: { path: `^app/modules/(${MODULE_ORDER.slice(0, index + 1).join("|")})/` },
}));

export default {
  forbidden: [
    {
      name: "no-circle-of-files",
      comment: "Files that import each other, type imports included, can only be read together.",
      severity: "error",
      from: { pathNot: "^app/generated/" },
      to: { circular: true },
    },
    {
      name: "public-face-only",
      comment: "Another module is reached through the files at its top level.",
      severity: "error",
      from: { path: "^app/modules/([^/]+)/" },
      to: { path: "^app/modules/[^/]+/.+/", pathNot: "^app/modules/$1/" },
    },
    {
      name: "public-face-only-from-outside",
      comment: "Everything outside modules/ reaches a module through the files at its top level.",
      severity: "error",
      from: { path: "^app/", pathNot: "^app/(modules/|composition)" },
      to: { path: "^app/modules/[^/]+/.+/" },
    },
    ...upwards,
  ],
  options: {
    doNotFollow: { path: "node_modules|^app/generated" },
    exclude: { path: "\\.test\\.tsx?$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js"] },
  },
};
