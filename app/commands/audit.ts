/**
 * npm run audit verify [-- --shop DOMAIN] [--database-url URL] [--anchors FOLDER]
 *     compares every access log with its hash chain, and the chains with their anchors. Exit code 1 when one differs.
 * npm run audit accept -- --finding ID --reason TEXT
 *     says that a finding was looked into: it is told from then on and no longer counts.
 */
import { runCommand } from "./open-command.ts";
import { runAudit } from "./run-audit.ts";

await runCommand((say) => runAudit(process.argv.slice(2), say));
