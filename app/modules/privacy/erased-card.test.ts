import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { eraseOwnData } from "./erase-own-data.ts";

const db = await openTestDatabase();

test("shows a guest no test whose results were deleted, of which nothing more comes", async () => {
  const world = await startLinked(db);
  const { shop, ports, id, other } = world;
  await world.deliver();
  const token = await world.mail("results_available");
  await world.sendCode(await world.enter(token));
  await world.checkCode(await world.enter(token), world.code());
  const viewer = await world.enter(token);
  const seen = async () => {
    const guest = await world.enter(await world.mail("details_needed", other));
    return (await world.see(guest)).map((one) => one.id).toSorted();
  };
  expect(await seen()).toEqual([id, other].toSorted());
  expect(await eraseOwnData(ports, { shop, viewer, requestId: id })).toEqual({ kind: "erased" });
  expect(await seen()).toEqual([other]);
});

test("goes on telling a guest of a deleted test without results that it is cancelled", async () => {
  const world = await startLinked(db);
  const { shop, ports, id, other } = world;
  await world.deliver(id, { hasResults: false });
  const token = await world.mail("form_ready");
  await world.sendCode(await world.enter(token));
  await world.checkCode(await world.enter(token), world.code());
  const viewer = await world.enter(token);
  expect(await eraseOwnData(ports, { shop, viewer, requestId: id })).toEqual({ kind: "erased" });
  const guest = await world.enter(await world.mail("details_needed", other));
  const card = (await world.see(guest)).find((one) => one.id === id);
  expect(card).toMatchObject({ state: "cancelled" });
  expect(card?.nextStep).toMatch(/^This test is being cancelled\. Please don’t use its form\./);
});
