/** How the app is started everywhere (docs/decisions/0021): `npm start` and docs/operations.md say the same. */
export const APP = {
  file: "app/server.ts",
  nodeFlags: ["--max-semi-space-size=4"],
  /** Of a process that only works: there are many of them, and nobody waits for their answer. */
  workerFlags: ["--heap-growing-percent=15", "--no-allocation-site-pretenuring"],
  env: { MALLOC_ARENA_MAX: "1" },
} as const;
