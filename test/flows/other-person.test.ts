import { expect, test } from "vitest";
import { z } from "zod";
import { eventually, shareWorld } from "../harness/index.ts";
import { orderPage } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { fetchDocument } from "./customer-documents.ts";
import { goShopping, only } from "./shopping.ts";

const attentionRow = z.object({ code: z.string().nullable() });
const documentRow = z.object({ id: z.string() });
const resultRow = z.object({ uuid: z.string(), released_at: z.unknown() });

const world = await shareWorld();
const shopping = goShopping(world);

test("shows a result of another person to nobody until the service puts it right", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const [referral] = await oneReferralEach(world, requests);
  await world.console.setFaults({ wrongPerson: true });
  await world.console.sendResults(referral?.uuid ?? "");
  const { id } = only(requests);
  const reviewReason = async () => {
    const [row] = await world.sql.rows(
      attentionRow,
      "SELECT result_code AS code FROM referral_requests WHERE id = $1",
      [id],
    );
    return row?.code;
  };
  await eventually(async () => expect(await reviewReason()).toBe("result_other_person"));
  const reports = await eventually(async () => {
    const rows = await world.sql.rows(
      documentRow,
      "SELECT id FROM documents WHERE request_id = $1 AND kind = 'result'",
      [id],
    );
    expect(rows).toHaveLength(1);
    return rows;
  });
  const seen = async () => only((await buyer.api.requests()).filter((r) => r.orderId === order.id));
  expect((await seen()).documents.map(({ kind }) => kind)).toEqual(["referral"]);
  expect((await fetchDocument(world, reports[0]?.id ?? "", buyer.id)).status).toBe(404);
  const results = await world.sql.rows(
    resultRow,
    "SELECT uuid, released_at FROM results WHERE request_id = $1",
    [id],
  );
  expect(results.map(({ released_at }) => released_at)).toEqual([null]);
  await expect(buyer.api.result(results[0]?.uuid ?? "")).rejects.toThrow(/404/);
  // Neither a release nor "handled" is a way around it.
  await world.pages.submit(orderPage(order), { intent: "release", requestId: id }).catch(() => {});
  await world.pages.submit(orderPage(order), { intent: "handled" }).catch(() => {});
  expect((await seen()).documents.map(({ kind }) => kind)).toEqual(["referral"]);
  expect(await reviewReason()).toBe("result_other_person");
  const mails = (await world.store.mail()).filter(({ subject }) => subject.includes(order.name));
  expect(mails.filter(({ subject }) => /result/i.test(subject))).toEqual([]);

  await world.console.setFaults({});
  await world.console.sendResults(referral?.uuid ?? "", { seed: 3 });
  await eventually(async () => expect((await seen()).state).toBe("results_ready"));
  expect(await reviewReason()).toBeNull();
});
