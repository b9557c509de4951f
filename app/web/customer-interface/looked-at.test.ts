import { randomUUID } from "node:crypto";
import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { issueExportTicket } from "../../modules/access/export-everything.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { hashSecret, newSecret } from "../../modules/kernel/secret.ts";
import { loader as document } from "../../routes/documents.$ticket.ts";
import { loader as download } from "../../routes/exports.$ticket.ts";
import { writeToken } from "./token.ts";

const db = await openTestDatabase();

async function start() {
  const { shop, ports, deliver, clock } = await startLinked(db);
  const { form } = await deliver();
  const secret = newSecret("document_ticket");
  const end = new Date(clock.now().getTime() + 60_000);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.documents.saveTicket(hashSecret(secret), form, end),
  );
  const customerId = gid("Customer", 7);
  const ticket = {
    document: writeToken(shop, secret),
    download: writeToken(shop, await issueExportTicket(ports, { shop, customerId })),
    none: writeToken(shop, newSecret("document_ticket")),
  };
  const ask = async (loader: typeof document, name: keyof typeof ticket, method: string) => {
    const request = new Request(`https://app.example/${randomUUID()}`, { method });
    const context = { app: { ports } } as unknown as AppLoadContext;
    const response = await loader({ request, params: { ticket: ticket[name] }, context });
    return [response.status, response.headers.get("content-type")];
  };
  return { ask };
}

test("a look at a ticket's address leaves it to be opened, and tells nothing of it", async () => {
  const { ask } = await start();
  for (const name of ["document", "document", "none"] as const)
    for (const method of ["HEAD", "OPTIONS"])
      expect(await ask(document, name, method)).toEqual([200, "application/pdf"]);
  expect(await ask(document, "document", "GET")).toEqual([200, "application/pdf"]);
  expect((await ask(document, "document", "GET"))[0]).toBe(404);
  for (const name of ["download", "download", "none"] as const)
    for (const method of ["HEAD", "OPTIONS"])
      expect(await ask(download, name, method)).toEqual([200, "application/zip"]);
  expect(await ask(download, "download", "GET")).toEqual([200, "application/zip"]);
  expect((await ask(download, "download", "GET"))[0]).toBe(404);
});
