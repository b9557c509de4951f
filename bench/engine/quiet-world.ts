import { startWorld } from "../../test/harness/index.ts";
import type { StartOrderWorld } from "./order-world.ts";

/** A world of this version. Its comparison with the service's lists does not fall due while it is measured. */
export const startQuietWorld: StartOrderWorld = ({ env, ...options } = {}) =>
  startWorld({
    ...options,
    env: { PATHWAY_SYNC_INTERVAL_MS: "3600000", LOG_LEVEL: "warn", ...env },
  });
