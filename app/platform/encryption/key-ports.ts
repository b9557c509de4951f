import type { Pool } from "pg";
import type { Logger } from "../logger.ts";
import type { SealedColumn } from "./sealed-column.ts";
import type { Sealers } from "./sealers.ts";

/** What the care of keys needs. */
export interface KeyPorts {
  pool: Pool;
  sealers: Sealers;
  columns: SealedColumn[];
  logger: Logger;
  /** How long a retired key is waited for. */
  retiredForMs?: number;
  /** Told again and again while long work goes on. */
  onStep?: () => void;
}
