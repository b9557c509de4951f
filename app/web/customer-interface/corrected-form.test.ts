import { expect, test } from "vitest";
import { BOTH_PARTS } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { OWNER, startIssued } from "../../../test/database/issued.ts";
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
  return { ...issued, seen };
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
