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

/** Where a room keeps its repositories. */
const POSTGRES = "^app/modules/[^/]+/postgres/";

/** The files of rows that rows of modules above may use, since they are SQL, or need the module's keys. */
const SHARED_ROWS = [
  "catalogue/postgres/awaiting-mapping",
  "orders/postgres/(buyers|order-lock|order-words)",
  "patients/postgres/saved-patients",
];

const upwards = MODULE_ORDER.slice(1).map((name, index) => ({
  name: `${name}-imports-downwards`,
  comment: `modules/${name} imports only modules that stand below it in MODULE_ORDER.`,
  severity: "error",
  from: { path: `^app/modules/${name}/` },
  to: { path: `^app/modules/(${MODULE_ORDER.slice(0, index + 1).join("|")})/` },
}));

/** Which parts of the app each part may import, beside itself. What joins the parts (app/*.ts) may import all. */
const PARTS = {
  platform: ["generated/"],
  modules: ["platform/", "generated/"],
  clients: ["modules/", "platform/"],
  components: ["modules/", "platform/"],
  web: ["modules/", "platform/", "ports\\.ts"],
  jobs: ["modules/", "platform/", "ports\\.ts"],
  queue: ["jobs/", "modules/", "platform/"],
  routes: ["components/", "modules/", "platform/", "ports\\.ts", "web/", "web-app\\.ts"],
};

const parts = Object.entries(PARTS).map(([name, others]) => ({
  name: `${name}-imports`,
  comment: `app/${name} imports itself, and of the rest of the app only what PARTS lists.`,
  severity: "error",
  from: { path: `^app/${name}/`, pathNot: "/testing/" },
  to: { path: "^app/", pathNot: `^app/(${[`${name}/`, ...others].join("|")})` },
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
      to: { path: "^app/modules/[^/]+/.+/", pathNot: ["^app/modules/$1/", POSTGRES] },
    },
    {
      name: "public-face-only-from-outside",
      comment: "Everything outside modules/ reaches a module through the files at its top level.",
      severity: "error",
      from: { path: "^app/", pathNot: "^app/modules/" },
      to: { path: "^app/modules/[^/]+/.+/", pathNot: POSTGRES },
    },
    {
      name: "rows-behind-ports",
      comment:
        "Rows are reached through a room's ports. The intake and the queue write theirs in bulk.",
      severity: "error",
      from: {
        path: "^app/",
        pathNot: [
          POSTGRES,
          "^app/(web/intake|queue)/",
          "^app/(tenancy|tenant-rows|composition.server|metrics).ts",
        ],
      },
      to: { path: POSTGRES },
    },
    {
      name: "rows-of-one-room",
      comment: "Rows of another room are reached through its ports, except what SHARED_ROWS lists.",
      severity: "error",
      from: { path: "^app/modules/([^/]+)/postgres/" },
      to: {
        path: POSTGRES,
        pathNot: ["^app/modules/$1/", `^app/modules/(${SHARED_ROWS.join("|")})\\.ts$`],
      },
    },
    {
      name: "rooms-know-no-database",
      comment: "Only a room's postgres/ knows the database and how fields are sealed.",
      severity: "error",
      from: { path: "^app/modules/", pathNot: POSTGRES },
      to: { path: "^app/(generated|platform/(database|encryption))/" },
    },
    ...upwards,
    ...parts,
  ],
  options: {
    doNotFollow: { path: "node_modules|^app/generated" },
    exclude: { path: "\\.test\\.tsx?$" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js"] },
  },
};
