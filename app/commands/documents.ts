/**
 * npm run documents [-- --database-url URL]
 *     says whose the stores of documents are. Exit code 1 when this database may only read the one that it writes to.
 * npm run documents claim
 *     gives this database the stores, after a restore or a failover that is for good. The former one may only read from then on.
 */
import { runCommand } from "./open-command.ts";
import { runDocuments } from "./run-documents.ts";

await runCommand((say) => runDocuments(process.argv.slice(2), process.env, say));
