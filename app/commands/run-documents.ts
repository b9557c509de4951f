import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import type pg from "pg";
import type { ObjectStore } from "../clients/documents/object-store.ts";
import { filesFolder, openStores } from "../clients/documents/open-document-bodies.ts";
import { hasAnything, readOwner, setOwner } from "../clients/documents/store-owner.ts";
import type { ObjectStoreName } from "../modules/referrals/document.ts";
import { readDocumentsId, saveDocumentsId, shopIn } from "../platform/database/documents-id.ts";
import { readStoreSettings, type StoreSettings } from "../platform/env.ts";
import { asksForHelp, CommandError, connect, recordCommand } from "./open-command.ts";

const USAGE = "Say `npm run documents` to see whose the stores are, or `npm run documents claim`.";

type Say = (line: string) => void;

/**
 * Does what `npm run documents` is asked for (documents.ts), with the settings of the processes and the login of the database's
 * owner. Returns the exit code. Throws `CommandError` for a wrong call.
 */
export async function runDocuments(
  args: string[],
  variables: Record<string, string | undefined>,
  say: Say,
): Promise<number> {
  if (asksForHelp(args)) {
    say(USAGE);
    return 0;
  }
  const { command, databaseUrl } = readArguments(args);
  const settings = readStoreSettings(variables);
  const url = databaseUrl || variables.DATABASE_DIRECT_URL || variables.DATABASE_URL;
  const client = await connect(url);
  try {
    if (command === "claim") await claim(client, settings, say);
    return await tell(client, settings, say);
  } finally {
    await client.end();
  }
}

function readArguments(args: string[]) {
  const { values, positionals } = parse(args);
  const [command = "status", ...more] = positionals;
  if (more.length > 0 || !["status", "claim"].includes(command)) throw new CommandError(USAGE);
  return { command, databaseUrl: values["database-url"] };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { "database-url": { type: "string" } },
    });
  } catch {
    // An option that nobody knows: the sentence says which there are.
    throw new CommandError(USAGE);
  }
}

/** A new id each time: whichever copy has the former one loses the stores. */
async function claim(client: pg.Client, settings: StoreSettings, say: Say): Promise<void> {
  const id = randomUUID();
  await client.query("BEGIN");
  if (!(await saveDocumentsId(client, id)))
    throw new CommandError(
      "No process has noticed yet which database this is. Start one, and say this again once it is ready.",
    );
  await recordCommand(client, "documents claim");
  for (const { name, kind, store, isTarget } of storesOf(settings)) {
    const isUsed = isTarget || (await shopIn(client, kind)) !== null;
    // A store that nobody has written to belongs to the first one who does.
    if (!isUsed && (await readOwner(store)) === null) continue;
    await setOwner(store, id);
    say(`${name} is given to this database.`);
  }
  await client.query("COMMIT");
}

async function tell(client: pg.Client, settings: StoreSettings, say: Say): Promise<number> {
  const id = await readDocumentsId(client);
  let mayWrite = true;
  for (const { name, kind, store, isTarget } of storesOf(settings)) {
    const owner = await readOwner(store);
    const shop = owner === null ? await shopIn(client, kind) : null;
    if (shop !== null && !(await hasAnything(store, shop))) {
      say(
        `${name} has nothing of what is to be there. Mount it, or set the right one. Is it lost? Say \`npm run documents claim\`.`,
      );
      if (isTarget) mayWrite = false;
    } else if (owner === null) {
      say(`${name} has no owner yet.`);
      if (isTarget && id === null) mayWrite = false;
    } else if (owner === id) say(`${name} belongs to this database.`);
    else {
      say(`${name} belongs to another database: this one may only read it.`);
      if (isTarget) mayWrite = false;
    }
  }
  return mayWrite ? 0 : 1;
}

function storesOf(
  settings: StoreSettings,
): { name: string; kind: ObjectStoreName; store: ObjectStore; isTarget: boolean }[] {
  const { files, s3 } = openStores(settings);
  const { PATHWAY_DOCUMENTS: target, PATHWAY_S3_BUCKET: bucket } = settings;
  const folder = `The folder ${filesFolder(settings)}`;
  return [
    { name: folder, kind: "files", store: files, isTarget: target === "files" },
    ...(s3
      ? [
          {
            name: `The bucket ${bucket}`,
            kind: "s3" as const,
            store: s3,
            isTarget: target === "s3",
          },
        ]
      : []),
  ];
}
