import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startLedger } from "../../../../test/database/ledger.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { connect, mapVariant } from "../../../../test/database/seed.ts";
import { gid } from "../../kernel/ids.ts";
import { installShop } from "../../lifecycle/install-shop.ts";
import { advanceSimulation } from "../advance-simulation.ts";
import { startSimulation } from "../start-simulation.ts";

const db = await openTestDatabase();
const MINUTE_MS = 60_000;
const variantId = gid("ProductVariant", 1);

async function start() {
  const { shop, ports, clock } = await startLedger(db);
  await connect(db, shop);
  await mapVariant(db, shop, variantId);
  const simulate = () =>
    startSimulation(ports, { shop, variantId, title: "Iron studies", actor: "staff:7" });
  const begun = await simulate();
  if (begun.kind !== "started") throw new Error(begun.kind);
  const { simulationId } = begun;
  return {
    clock,
    shop,
    simulate,
    advance: () => advanceSimulation(ports, { shop, simulationId }),
    uninstall: () => db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now())),
    install: () => installShop(ports, { shop, scope: "" }),
    first: () => db.tenancy.inShop(shop, (tenant) => tenant.simulations.find(simulationId)),
  };
}

test("a simulation ends with the app's being removed, and another begins after its return", async () => {
  const { advance, uninstall, install, simulate, first, clock } = await start();
  await uninstall();
  expect(await advance()).toBe("failed");
  expect(await first()).toMatchObject({ finishedAt: clock.now(), failure: "uninstalled" });
  expect(await advance()).toBe("finished");
  await install();
  expect(await simulate()).toMatchObject({ kind: "started" });
});

test("leaves a simulation that goes on alone when another starts", async () => {
  const { simulate, first, clock } = await start();
  clock.advance(10 * MINUTE_MS);
  expect(await simulate()).toEqual({ kind: "already_running" });
  expect(await first()).toMatchObject({ finishedAt: null });
});

test("ends a simulation that nobody takes further, when another starts", async () => {
  const { simulate, first, advance, clock } = await start();
  clock.advance(12 * MINUTE_MS);
  const outcomes = await Promise.all([simulate(), simulate()]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["already_running", "started"]);
  expect(await first()).toMatchObject({ finishedAt: clock.now(), failure: "stuck:connect" });
  // Its job comes after all.
  expect(await advance()).toBe("finished");
});

test("says of an order whose second referral was refused why, and not that it was ordered", async () => {
  const { shop, advance, first } = await start();
  // Staging answers, and takes the order.
  expect([await advance(), await advance()]).toEqual(["went_on", "went_on"]);
  const simulation = await first();
  await db.tenancy.inShop(shop, async (tenant) => {
    const [request] = await tenant.requests.forOrder(simulation?.orderId ?? gid("Order", 0));
    const reviewReason = { code: "half_rejected", detail: "PRACTITIONER_NO_SIGNATURE" } as const;
    await putRequest(tenant, request?.id ?? "", {
      state: "created",
      missingPart: "medicare",
      reviewReason,
    });
  });
  expect(await advance()).toBe("failed");
  expect(await first()).toMatchObject({ failure: "half_rejected:PRACTITIONER_NO_SIGNATURE" });
});
