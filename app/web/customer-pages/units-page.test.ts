import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { OWNER, startIssued } from "../../../test/database/issued.ts";
import { findCustomerRequest } from "../../modules/access/list-requests.ts";
import { presentCustomerRequest } from "../customer-interface/present-request.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { unitsPage } from "./units-page.tsx";

const db = await openTestDatabase();
const CONTEXT = { base: "/visit/x", formToken: "t", timeZone: "Australia/Perth" };

/** The names of the page's regions, as a screen reader lists them. */
function regionsOf(markup: string): string[] {
  const textOf = (id: string) =>
    new RegExp(`id="${id}"[^>]*>(.*?)</(?:h2|p)>`).exec(markup)?.[1]?.replaceAll(/<[^>]+>/g, "");
  return [...markup.matchAll(/<section[^>]*aria-labelledby="([^"]+)"/g)].map(([, ids = ""]) =>
    ids.split(" ").map(textOf).join(" "),
  );
}

test("tells two tests of one title apart by their names in a list of the page's regions", async () => {
  const { shop, ports, requestId } = await startIssued(db);
  const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
  if (!found) throw new Error("not shown");
  const unit = { ...presentCustomerRequest(found), unit: { number: 1, of: 2 } };
  const other = { ...unit, id: "2", patientName: "Ben C.", unit: { number: 2, of: 2 } };
  const waiting = { ...unit, id: "3", patientName: null, unit: { number: 1, of: 1 } };
  const page = hostedPage(unitsPage([unit, other, waiting], CONTEXT), { help: NO_SHOP });
  expect(regionsOf(await page.text())).toEqual([
    "Iron studies For Ada C. · Test 1 of 2",
    "Iron studies For Ben C. · Test 2 of 2",
    "Iron studies",
  ]);
});
