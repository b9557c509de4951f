/**
 * npm run redactions [-- --database-url URL]
 *     lists the redactions that wait for an operator's word (docs/decisions/0023). Exit code 1 while there are any.
 * npm run redactions destroy -- --shop NAME.myshopify.com --request ID
 *     has everything of the customer destroyed, also what is newer than the words that came before: the customer asked again.
 * npm run redactions keep -- --shop NAME.myshopify.com --request ID
 *     ends the request and keeps what is newer: the customer did not.
 */
import { runCommand } from "./open-command.ts";
import { runRedactions } from "./run-redactions.ts";

await runCommand((say) => runRedactions(process.argv.slice(2), say));
