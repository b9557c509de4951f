import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Card } from "@shopify/polaris";
import type { ThrownDescription } from "../../components/feedback/describe-error.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { Waits } from "../../components/lists/waits.tsx";
import { keepShown } from "../../components/loading/looks.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { ORDER_IMPORT_ADDRESS } from "../app.settings/order-import-address.ts";
import { Accesses } from "./accesses.tsx";
import { applyOrder } from "./apply-order.ts";
import { Emails } from "./emails.tsx";
import { HandledReasons } from "./handled-reasons.tsx";
import { LineCard } from "./line-card.tsx";
import { OrderAttention } from "./order-attention.tsx";
import { OrderFacts } from "./order-facts.tsx";
import { orderForm } from "./order-form.ts";
import { OrderFrame } from "./order-frame.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { presentOrder } from "./present-order.ts";
import { Timeline } from "./timeline.tsx";

export const meta: MetaFunction<typeof loader> = ({ data: view }) => [
  { title: `${view?.name ?? "Order"} · Pathway` },
];

const NOT_HERE: ThrownDescription = {
  title: "Pathway doesn’t have this order",
  sentence: "Only orders that are paid appear here, within seconds of the payment.",
  nextStep:
    "If Shopify shows the order as paid, import it. If it isn’t paid, there is nothing to order yet.",
  step: { label: "Import the order", url: ORDER_IMPORT_ADDRESS },
  back: { label: "Go to Orders and referrals", url: "/app/referrals" },
};

const orderIdOf = (number = "") => (/^\d{1,20}$/.test(number) ? gid("Order", number) : null);

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const orderId = orderIdOf(params.number);
  const isWhole = new URL(request.url).searchParams.get("units") === "all";
  const asked = { shop, actor, isWhole };
  const found = orderId && (await readOrder(context.app.ports, { ...asked, orderId }));
  if (!found) throw data(NOT_HERE, { status: 404 });
  return presentOrder(context.app, found);
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const orderId = orderIdOf(params.number);
  if (!orderId) throw data(NOT_HERE, { status: 404 });
  const form = orderForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!form.success) throw data(null, { status: 400 });
  const result = await applyOrder(context.app.ports, { shop, orderId, actor }, form.data);
  return { form: "order", ...result };
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;
export const clientLoader = keepShown;

export default function OrderPage() {
  const view = useLoaderData<typeof loader>();
  return (
    <OrderFrame view={view}>
      <div className="pathway-order">
        <BlockStack gap="400">
          <OrderSummary view={view} />
          <OrderAttention view={view} />
          <HandledReasons view={view} />
          {view.waits.length > 0 && (
            <Card>
              <Waits waits={view.waits} />
            </Card>
          )}
          <Emails mails={view.mails} reminders={view.reminders} hasEnded={view.hasTimelineEnded} />
          {view.lines.map((line) => (
            <LineCard key={line.id} line={line} />
          ))}
        </BlockStack>
        <div className="pathway-order-facts">
          <OrderFacts view={view} />
        </div>
        <Timeline entries={view.timeline} hasEnded={view.hasTimelineEnded} />
        <Accesses entries={view.accesses} />
      </div>
      <Box paddingBlockEnd="800" />
    </OrderFrame>
  );
}
