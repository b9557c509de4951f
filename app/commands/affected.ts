/**
 * npm run affected -- --since ISO --shop DOMAIN [--until ISO] [--who staff|customer|link|share] [--actor staff:ID]
 *                     [--contacts FILE] [--database-url URL]
 *     prints as CSV whose health data was seen, taken or changed in that time, by the access log: one line for each test
 *     and each saved patient.
 *     --contacts also writes name, email and phone to a file that only its owner can read; PATHWAY_MASTER_KEYS opens them.
 */
import { runCommand } from "./open-command.ts";
import { runAffected } from "./run-affected.ts";

await runCommand((say) => runAffected(process.argv.slice(2), say));
