import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { TestWorld } from "../harness/index.ts";
import { orderPage, type Policies, savePolicies } from "../harness/pages.ts";
import type { Random } from "./random.ts";

const PAGE_MS = 4000;
const AT_ONCE = 8;
const waiting = z.object({ id: z.string(), order: z.string(), intent: z.string() });

/** The staff who mind the shop while everything breaks: they change its policies, and decide what is left to them. */
export function openOffice({ pages, sql }: TestWorld, random: Random) {
  /** Whether it was taken. The app may be down just now; there is a next time. */
  const isTaken = (call: Promise<unknown>): Promise<boolean> =>
    Promise.race([
      call.then(
        () => true,
        () => false,
      ),
      delay(PAGE_MS, false),
    ]);
  const setPolicies = (policies: Policies) => isTaken(savePolicies({ pages }, policies));

  return {
    /** Orders wait for a look, or nothing is sent twice without a person's word; most of the time neither. */
    async changePolicies(): Promise<void> {
      await setPolicies({
        ...(random.next() < 0.25 ? { holdOrders: "true" } : {}),
        ...(random.next() < 0.35 ? { strictMode: "true" } : {}),
      });
    },

    /** Everything goes out by itself again; whether the app heard it. */
    relax: () => setPolicies({}),

    /** Lets go what was held, and has sent again what strict mode left undecided. */
    async decide(): Promise<void> {
      const open = await sql
        .rows(
          waiting,
          `SELECT id, order_id AS order,
                  CASE state WHEN 'held' THEN 'release' ELSE 'retry' END AS intent
           FROM referral_requests
           WHERE state = 'held' OR (state = 'ambiguous' AND review_code IN ('ambiguous', 'half_created'))
           ORDER BY updated_at LIMIT ${AT_ONCE}`,
        )
        .catch(() => []);
      await Promise.all(
        open.map(({ id, order, intent }) =>
          isTaken(pages.submit(orderPage({ id: order }), { intent, requestId: id })),
        ),
      );
    },
  };
}
export type Office = ReturnType<typeof openOffice>;
