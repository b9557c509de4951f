import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { deleteView, MAX_VIEWS, renameView, saveView } from "./change-views.ts";

const db = await openTestDatabase();
const ports = { tenancy: db.tenancy };

test("views are kept, renamed and deleted; names are the shop's own", async () => {
  const shop = await installedShop(db);
  const other = await installedShop(db);
  const names = () =>
    db.tenancy.inShop(shop, async (tenant) => (await tenant.views.all()).map((view) => view.name));
  const first = await saveView(ports, { shop, name: "Waiting", selection: "status=attention" });
  await saveView(ports, { shop, name: "Tests", selection: "lane=test" });
  expect(await saveView(ports, { shop, name: "Tests", selection: "" })).toEqual({
    kind: "name_taken",
  });
  expect((await saveView(ports, { shop: other, name: "Tests", selection: "" })).kind).toBe("done");
  const id = first.kind === "done" ? first.id : "";
  expect(await renameView(ports, { shop, id, name: "Tests" })).toEqual({ kind: "name_taken" });
  expect((await renameView(ports, { shop, id, name: "Needs us" })).kind).toBe("done");
  expect(await renameView(ports, { shop: other, id, name: "Ours" })).toEqual({ kind: "gone" });
  expect(await names()).toEqual(["Needs us", "Tests"]);
  await deleteView(ports, { shop: other, id });
  expect(await names()).toHaveLength(2);
  await deleteView(ports, { shop, id });
  expect(await names()).toEqual(["Tests"]);
  expect(await renameView(ports, { shop, id, name: "Ours" })).toEqual({ kind: "gone" });
});

test("there is a most", async () => {
  const shop = await installedShop(db);
  for (let index = 0; index < MAX_VIEWS; index++)
    await saveView(ports, { shop, name: `View ${index}`, selection: "" });
  expect(await saveView(ports, { shop, name: "Another", selection: "" })).toEqual({
    kind: "too_many",
  });
});

test("of two who save the last view at once, one is told that there are too many", async () => {
  const shop = await installedShop(db);
  for (let index = 1; index < MAX_VIEWS; index++)
    await saveView(ports, { shop, name: `View ${index}`, selection: "" });
  // Both have begun before either is stored.
  const row = await whoHolds(db, "LOCK TABLE saved_views IN SHARE MODE");
  const saving = ["One", "Two"].map((name) => saveView(ports, { shop, name, selection: "" }));
  await untilWaiting(db, 2, Promise.race(saving));
  await row.end();
  const kinds = (await Promise.all(saving)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(["done", "too_many"]);
});
