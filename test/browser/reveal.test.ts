import { expect, test } from "vitest";
import { z } from "zod";
import { only } from "../flows/shopping.ts";
import { eventually } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openScene } from "./scene.ts";

const { world, shopping, newSightseer } = await openScene();

const referralRow = z.object({ uuid: z.string() });
const lookRow = z.object({ reason: z.string(), case_number: z.string().nullable() });

test("staff see results only after they said why, and the timeline keeps it", async () => {
  const { order, requests } = await shopping.buyToForm(await shopping.newShopper());
  const request = only(requests);
  const referral = only(
    await world.sql.rows(referralRow, "SELECT uuid FROM referrals WHERE request_id = $1", [
      request.id,
    ]),
  );
  await world.service.generateResults(referral.uuid);
  await eventually(async () =>
    expect(
      await world.sql.count("SELECT count(*) FROM results WHERE request_id = $1 AND NOT partial", [
        request.id,
      ]),
    ).toBe(1),
  );

  const merchant = await newSightseer();
  const number = order.id.split("/").at(-1);
  const page = { path: `/app/orders/${number}`, heading: order.name };
  const frame = await openApp(world, merchant, page);
  await frame.getByRole("link", { name: "See them, with a reason" }).click();
  await frame.getByRole("heading", { name: "Results", level: 1 }).waitFor();
  expect(await frame.locator(".pathway-values").count()).toBe(0);
  await frame.getByRole("button", { name: "Show the results" }).click();
  await frame.getByText("Choose why the results have to be seen.").waitFor();
  await merchant.look("admin-reveal-question");

  await frame.getByLabel("Why do you need to see them?").selectOption("patient_asked");
  await frame.getByLabel("Case number (optional)").fill("Mr Brown is ill");
  await frame.getByRole("button", { name: "Show the results" }).click();
  await frame.getByText("Enter the case number only").waitFor();
  await frame.getByLabel("Case number (optional)").fill("HD-77");
  await frame.getByRole("button", { name: "Show the results" }).click();
  await frame.locator(".pathway-values").first().waitFor();
  await merchant.look("admin-reveal-results");
  const looks = await world.sql.rows(
    lookRow,
    "SELECT reason, case_number FROM reveals WHERE request_id = $1",
    [request.id],
  );
  expect(looks).toEqual([{ reason: "patient_asked", case_number: "HD-77" }]);

  const again = await openApp(world, merchant, page);
  await again.getByText("The results were shown to a member of staff.").first().waitFor();
}, 120_000);
