import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { OWNER, startIssued } from "../../../test/database/issued.ts";
import { PATIENT } from "../../../test/database/seed.ts";
import type { Ports } from "../../ports.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { answerCustomerPage } from "./page-routes.ts";

const db = await openTestDatabase();
const BASE = "/visit/x";

/** A test with a form, whose owner sends the form that edits the details, and follows where its answer leads. */
async function start() {
  const { shop, ports, requestId, service } = await startIssued(db);
  const call = (path: string, init?: RequestInit) =>
    answerCustomerPage({
      ports: ports as unknown as Ports,
      viewerScope: { shop, viewer: OWNER },
      context: { base: BASE, formToken: "ours", timeZone: "Australia/Sydney" },
      request: new Request(`https://app.example${BASE}${path}`, init),
      path: path.replace(/^\/|\?.*/g, ""),
      openDocument: async () => null,
      openExport: async () => new Response(null),
    });
  const save = async (change: Record<string, string>) => {
    const { address, dob, addressLine2: _, ...texts } = { ...PATIENT, addressLine2: "" };
    const [year = "", month = "", day = ""] = dob.split("-");
    const { addressLine1, city, state, postCode } = address;
    const lines = { addressLine1, city, state, postCode };
    const body = new URLSearchParams({
      ...texts,
      ...Object.fromEntries(
        Object.entries(lines).map(([name, value]) => [`address.${name}`, value]),
      ),
      ...{ "dob.day": day, "dob.month": month, "dob.year": year, consent: "yes" },
      ...change,
      [FORM_TOKEN]: "ours",
    });
    const answer = await call(`/requests/${requestId}/details`, { method: "POST", body });
    if (!(answer instanceof Response)) throw new Error(`refused: ${answer.title}`);
    const next = await call(answer.headers.get("location")?.slice(BASE.length) ?? "");
    if (next instanceof Response) throw new Error("leads on");
    return (await hostedPage(next, { help: NO_SHOP }).text()).replace(/^.*<main/s, "");
  };
  return { save, service };
}

test("says after an edit that a new form comes, and to throw away the old one", async () => {
  const { save } = await start();
  const page = await save({ lastName: "Citizen-Smith" });
  expect(page).toContain("Details corrected");
  expect(page).toContain("Please throw away the old form.");
  expect(page).toContain("Wait for it before you go.");
  expect(page).not.toContain("Open referral form");
});

test("promises no new form where nothing was changed", async () => {
  const { save } = await start();
  const page = await save({});
  expect(page).toContain("We have these details already");
  expect(page).toContain("no new one comes");
  expect(page).not.toMatch(/preparing/);
  expect(page).toContain("Open referral form");
});
