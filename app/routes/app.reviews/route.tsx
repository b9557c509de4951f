import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Box, Card, Page, Text } from "@shopify/polaris";
import { notAllowed } from "../../components/feedback/not-allowed.server.ts";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { Empty } from "../../components/lists/empty.tsx";
import { gid } from "../../modules/kernel/ids.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { openStaffAccess } from "../../modules/privacy/open-staff-access.ts";
import { readReviews } from "../../modules/privacy/read-reviews.ts";
import { recordContact } from "../../modules/referrals/record-contact.ts";
import { presentReviews } from "./present-reviews.ts";
import { ReviewEntry } from "./review-entry.tsx";
import { reviewForm } from "./review-form.ts";

export const meta: MetaFunction = () => [{ title: "Results to review · Pathway" }];

const MINUTE_MS = 60_000;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const found = await readReviews(context.app.ports, { shop, actor });
  if (found.kind === "not_allowed") throw notAllowed(found);
  return data(presentReviews(found), { headers: { "Cache-Control": "no-store" } });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const form = reviewForm.safeParse(Object.fromEntries(await readForm(request)));
  if (!form.success) throw data(null, { status: 400 });
  const { ports } = context.app;
  const { requestId } = form.data;
  if (form.data.intent === "open") {
    const { order } = form.data;
    const asked = { shop, actor, requestId, reason: "review", caseNumber: null } as const;
    const opened = await openStaffAccess(ports, { ...asked, orderId: gid("Order", order) });
    if (opened.kind === "not_allowed") throw notAllowed(opened);
    return redirect(`/app/orders/${order}/requests/${requestId}/results`);
  }
  const { reached, minutesAgo } = form.data;
  const contactedAt = new Date(ports.clock.now().getTime() - minutesAgo * MINUTE_MS);
  const outcome = await recordContact(ports, { shop, actor, requestId, reached, contactedAt });
  if (outcome.kind === "not_allowed") throw notAllowed(outcome);
  return { form: "contact", ...TOLD[outcome.kind] } satisfies FormAnswer;
}

const TOLD = {
  recorded: { toast: "Contact recorded" },
  nothing_held: {
    toast: "It was released meanwhile. There is nothing left to record.",
    toastIsError: true,
  },
  wrong_time: {
    toast: "The result wasn’t here yet at that time. Choose a later time.",
    toastIsError: true,
  },
};

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function ReviewsPage() {
  const { reviews, more } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Results to review"
      subtitle="Held results, those that can’t wait first. Every look at this page is recorded."
    >
      <Card padding="0">
        {reviews.length === 0 ? (
          <Empty
            heading="No results wait for review"
            action={{ content: "See the release policy", url: "/app/settings/results" }}
          >
            A result that your release policy holds appears here. You read it and release it here.
          </Empty>
        ) : (
          <ul className="pathway-list" aria-label={countOf(reviews.length, "test")}>
            {reviews.map((review) => (
              <ReviewEntry key={review.requestId} review={review} />
            ))}
          </ul>
        )}
      </Card>
      {more > 0 && (
        <Box padding="400">
          <Text as="p" tone="subdued">
            {countOf(more, "more test")} {more === 1 ? "waits" : "wait"}. They appear as you release
            these.
          </Text>
        </Box>
      )}
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
