import { z } from "zod";
import { eventually } from "../world/eventually.ts";

/** The steps of an order from Shopify's message to its form. */
const STEPS = [
  "POST /webhooks",
  "job reconcile-order",
  "job create-referral",
  "service POST /v1/referrals",
  "service download",
  "send mail",
];

const answerSchema = z.object({
  data: z.array(
    z.object({ traceID: z.string(), spans: z.array(z.object({ operationName: z.string() })) }),
  ),
});

/** Looks for a request in Jaeger as the book says, by its tag. One trace has every step of it. */
export const isOneTrace = (requestId: string) =>
  eventually(
    async () => {
      const tags = JSON.stringify({ "pathway.requestId": requestId });
      const asked = new URLSearchParams({ service: "pathway", limit: "100", lookback: "1h", tags });
      const answer = await fetch(`http://127.0.0.1:16686/api/traces?${asked}`);
      const { data } = answerSchema.parse(await answer.json());
      const traces = data.map(({ spans }) => spans.map(({ operationName }) => operationName));
      const missing = traces.map((names) => STEPS.filter((step) => !names.includes(step)));
      if (!missing.some((steps) => steps.length === 0))
        throw new Error(missing.map((steps) => `without ${steps.join(", ")}`).join("; "));
    },
    { what: "one trace of the order" },
  );
