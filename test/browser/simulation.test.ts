import { setTimeout as delay } from "node:timers/promises";
import type { FrameLocator } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventually, putBack } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, newPageAuditor } = await openBrowserFixture();

const steps = (frame: FrameLocator) =>
  frame
    .locator("#steps li")
    .evaluateAll((items) => items.map((item) => item.getAttribute("data-state")));

async function simulate(frame: FrameLocator, product: string) {
  await frame.getByLabel("Product to simulate").selectOption({ label: product });
  await frame.getByRole("button", { name: "Start simulation" }).click();
}

const simulatedOrders = async () =>
  (
    await world.sql.rows(z.object({ order_id: z.string() }), "SELECT order_id FROM simulations")
  ).map((row) => row.order_id);

test("a merchant simulates a Medicare product and sees every step happen", async () => {
  const merchant = await newPageAuditor();
  const frame = await openApp(world, merchant, { path: "/app/simulation", heading: "Simulation" });
  await merchant.look("admin-simulation-before");
  const product = world.line.products.find(({ mapsTo }) => mapsTo.medicareTests);
  const earlier = await simulatedOrders();
  await simulate(frame, product?.title ?? "");
  const orderId = await eventually(async () => {
    const [begun] = (await simulatedOrders()).filter((id) => !earlier.includes(id));
    expect(begun).toBeDefined();
    return begun ?? "";
  });
  // Others of this shop may have ended before: the page shows this one, once it names its order.
  const order = frame.getByRole("link", { name: "Open its order" });
  await expect
    .poll(() => order.getAttribute("href"), { timeout: 60_000 })
    .toContain(`/app/orders/${orderId.split("/").at(-1)}`);
  await frame.getByText("Everything works, from the mapping to the results.").waitFor();
  expect(await steps(frame)).toEqual(Array(6).fill("done"));
  await merchant.look("admin-simulation-done");

  const [simulation] = await world.sql.rows(
    z.object({ heard_events: z.boolean() }),
    "SELECT heard_events FROM simulations WHERE order_id = $1 AND failure IS NULL AND finished_at IS NOT NULL",
    [orderId],
  );
  expect(simulation?.heard_events).toBe(true);
  const [request] = await world.sql.rows(
    z.object({ reference_number: z.string(), state: z.string() }),
    "SELECT reference_number, state FROM referral_requests WHERE order_id = $1",
    [orderId],
  );
  expect(request?.state).toBe("created");
  const { referralsByReferenceNumber } = await world.console.stats();
  const ordersMore = product?.mapsTo.tests || product?.mapsTo.bundleId;
  expect(referralsByReferenceNumber[request?.reference_number ?? ""]).toBe(ordersMore ? 2 : 1);

  await order.click();
  await frame.getByRole("heading", { name: "Simulation", level: 1 }).waitFor();
  await frame.getByText("The complete results arrived").first().waitFor();
});

test("a simulation names what is wrong, and only one runs at a time", async () => {
  const merchant = await newPageAuditor();
  const frame = await openApp(world, merchant, { path: "/app/simulation", heading: "Simulation" });
  const product = world.line.products.find(({ mapsTo }) => mapsTo.bundleId);
  const STOPPED = "SELECT count(*) FROM simulations WHERE failure LIKE 'connection:%'";
  const stoppedBefore = await world.sql.count(STOPPED);
  await world.console.setFaults({ errorRate: 1 });
  try {
    await simulate(frame, product?.title ?? "");
    // Nothing was ordered. The same may stand there of an earlier one until then.
    await expect.poll(() => world.sql.count(STOPPED), { timeout: 60_000 }).toBe(stoppedBefore + 1);
    await frame.getByText("The referral service had an internal problem.").waitFor();
  } finally {
    await world.console.setFaults({ errorRate: 0 });
  }
  await merchant.look("admin-simulation-failed");
  expect(await steps(frame)).toEqual(["failed", ...Array(5).fill("todo")]);

  await world.console.setFaults({ createDelayMs: 3_000 });
  putBack(() => world.console.setFaults({}));
  await simulate(frame, product?.title ?? "");
  await eventually(async () =>
    expect(
      await world.sql.count("SELECT count(*) FROM simulations WHERE finished_at IS NULL"),
    ).toBe(1),
  );
  await frame.getByRole("button", { name: "Running…", disabled: true }).waitFor();
  await merchant.look("admin-simulation-running");
  await world.console.setFaults({ createDelayMs: 0 });
  // On a line so slow that the page's data takes longer than the page waits between two looks.
  await merchant.page.route(/simulation\.data/, async (route) => {
    // The line's own slowness.
    await delay(1_500);
    await route.continue().catch(() => {});
  });
  await frame.getByText("Everything works, from the mapping to the results.").waitFor();
});
