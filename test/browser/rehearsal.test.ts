import { setTimeout as delay } from "node:timers/promises";
import type { FrameLocator } from "playwright-core";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventually } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openScene } from "./scene.ts";

const { world, newSightseer } = await openScene();

const steps = (frame: FrameLocator) =>
  frame
    .locator("#steps li")
    .evaluateAll((items) => items.map((item) => item.getAttribute("data-state")));

async function rehearse(frame: FrameLocator, product: string) {
  await frame.getByLabel("Product to rehearse").selectOption({ label: product });
  await frame.getByRole("button", { name: "Start rehearsal" }).click();
}

test("a merchant rehearses a Medicare product and sees every step happen", async () => {
  const merchant = await newSightseer();
  const frame = await openApp(world, merchant, { path: "/app/rehearsal", heading: "Rehearsal" });
  await merchant.look("admin-rehearsal-before");
  const product = world.line.products.find(({ mapsTo }) => mapsTo.medicareTests);
  await rehearse(frame, product?.title ?? "");
  await frame.getByText("Everything works, from the mapping to the results.").waitFor({
    timeout: 60_000,
  });
  expect(await steps(frame)).toEqual(Array(6).fill("done"));
  await merchant.look("admin-rehearsal-done");

  const [rehearsal] = await world.sql.rows(
    z.object({ order_id: z.string(), heard_events: z.boolean() }),
    "SELECT order_id, heard_events FROM rehearsals WHERE failure IS NULL AND finished_at IS NOT NULL",
  );
  expect(rehearsal?.heard_events).toBe(true);
  const [request] = await world.sql.rows(
    z.object({ reference_number: z.string(), state: z.string() }),
    "SELECT reference_number, state FROM referral_requests WHERE order_id = $1",
    [rehearsal?.order_id],
  );
  expect(request?.state).toBe("created");
  const { referralsByReferenceNumber } = await world.console.stats();
  const ordersMore = product?.mapsTo.tests || product?.mapsTo.bundleId;
  expect(referralsByReferenceNumber[request?.reference_number ?? ""]).toBe(ordersMore ? 2 : 1);

  await frame.getByRole("link", { name: "Open its order" }).click();
  await frame.getByRole("heading", { name: "Rehearsal", level: 1 }).waitFor();
  await frame.getByText("The complete results arrived").first().waitFor();
}, 180_000);

test("a rehearsal names what is wrong, and only one runs at a time", async () => {
  const merchant = await newSightseer();
  const frame = await openApp(world, merchant, { path: "/app/rehearsal", heading: "Rehearsal" });
  const product = world.line.products.find(({ mapsTo }) => mapsTo.bundleId);
  await world.console.setFaults({ errorRate: 1 });
  try {
    await rehearse(frame, product?.title ?? "");
    await frame
      .getByText("The referral service had an internal problem.")
      .waitFor({ timeout: 60_000 });
  } finally {
    await world.console.setFaults({ errorRate: 0 });
  }
  await merchant.look("admin-rehearsal-failed");
  expect(await steps(frame)).toEqual(["failed", ...Array(5).fill("todo")]);
  // Nothing was ordered.
  expect(
    await world.sql.count("SELECT count(*) FROM rehearsals WHERE failure LIKE 'connection:%'"),
  ).toBe(1);

  await world.console.setFaults({ createDelayMs: 3_000 });
  await rehearse(frame, product?.title ?? "");
  await eventually(async () =>
    expect(await world.sql.count("SELECT count(*) FROM rehearsals WHERE finished_at IS NULL")).toBe(
      1,
    ),
  );
  await frame.getByRole("button", { name: "Running…", disabled: true }).waitFor();
  await merchant.look("admin-rehearsal-running");
  await world.console.setFaults({ createDelayMs: 0 });
  // On a line so slow that the page's data takes longer than the page waits between two looks.
  await merchant.page.route(/rehearsal\.data/, async (route) => {
    // The line's own slowness.
    await delay(1_500);
    await route.continue().catch(() => {});
  });
  await frame.getByText("Everything works, from the mapping to the results.").waitFor({
    timeout: 60_000,
  });
}, 180_000);
