import { expect, test } from "vitest";
import { BOTH_PARTS } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { IN_DATABASE } from "../../../test/database/in-database.ts";
import { OWNER, startIssued } from "../../../test/database/issued.ts";
import { exportEverything } from "../../modules/access/export-everything.ts";
import { findCustomerRequest } from "../../modules/access/list-requests.ts";
import { presentCustomerRequest } from "./present-request.ts";

const db = await openTestDatabase();

async function start(options: Parameters<typeof startIssued>[1] = {}) {
  const issued = await startIssued(db, options);
  const { shop, ports, requestId } = issued;
  const seen = async () => {
    const found = await findCustomerRequest(ports, { shop, viewer: OWNER, requestId });
    return found && presentCustomerRequest(found);
  };
  /** All that its owner takes with them, by the name of the file. */
  const taken = async () => {
    const bodies = { ...ports, documentBodies: IN_DATABASE };
    const files = new Map<string, string>();
    for await (const { name, content } of await exportEverything(bodies, { shop, viewer: OWNER }))
      files.set(name, content.toString());
    return files;
  };
  return { ...issued, seen, taken };
}

test("closes the old form from the moment a correction is saved, and says what to wait for", async () => {
  const { correct, seen, opens } = await start();
  expect(await seen()).toMatchObject({ state: "form_ready" });
  expect(await opens()).toBe(true);
  await correct({ dob: "1985-04-03" });
  // The service has not heard of it yet, and may be away for hours.
  expect(await seen()).toMatchObject({
    state: "being_prepared",
    nextStep: "We are making a new form with the corrected details. Wait for it before you go.",
    documents: [],
    canCorrect: true,
  });
  expect(await opens()).toBe(false);
});

test("keeps the old form out of what its owner downloads, where the correction stands beside the details", async () => {
  const { correct, pass, taken } = await start();
  const forms = (files: Map<string, string>) =>
    [...files.keys()].filter((name) => name.startsWith("forms/"));
  const testsIn = (files: Map<string, string>) =>
    JSON.parse(files.get("details.json") ?? "").tests as unknown[];
  const before = await taken();
  expect(forms(before)).toHaveLength(1);
  expect(testsIn(before)).toMatchObject([{ correction: null }]);
  await correct({ dob: "1985-04-03" });
  const waiting = await taken();
  expect(forms(waiting)).toEqual([]);
  expect(testsIn(waiting)).toMatchObject([
    {
      details: { dob: expect.not.stringMatching("1985-04-03") },
      correction: { dob: "1985-04-03" },
    },
  ]);
  expect(await pass()).toEqual({ kind: "applied" });
  expect(testsIn(await taken())).toMatchObject([
    { details: { dob: "1985-04-03" }, correction: null },
  ]);
});

test("leaves the form open when details are saved that were right already", async () => {
  const { correct, seen, opens } = await start();
  await correct({});
  expect(await seen()).toMatchObject({ state: "form_ready" });
  expect(await opens()).toBe(true);
});

test("closes the form of the referral alone that has not been given the correction", async () => {
  const { correct, pass, seen, opens, uuids, service, refetch, storeForm } = await start({
    items: BOTH_PARTS,
  });
  const [first = "", second = ""] = uuids();
  await correct({ lastName: "Citizen-Smith" });
  expect([await opens(first), await opens(second)]).toEqual([false, false]);
  service.set(first, { status: "PENDING_VERIFICATION" });
  await refetch();
  expect(await pass()).toEqual({ kind: "waiting" });
  service.set(first, { status: "ISSUED" });
  service.set(second, { status: "ISSUED" });
  await refetch();
  await storeForm(second);
  const parts = (await seen())?.parts.map(({ state }) => state) ?? [];
  expect(parts.toSorted()).toEqual(["being_prepared", "form_ready"]);
});
