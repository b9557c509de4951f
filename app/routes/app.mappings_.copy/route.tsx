import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { Banner, BlockStack, Box, Button, Card, InlineStack, Page, Text } from "@shopify/polaris";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { planCopy } from "../../modules/catalogue/copy-mappings.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { readSettings } from "../../modules/reports/read-settings.ts";

export const meta: MetaFunction = () => [{ title: "Copy mappings · Pathway" }];

const FROM_TO = { from: "staging", to: "production" } as const;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { preflight } = await readSettings(context.app.ports, shop);
  const left = preflight?.find(({ code }) => code === "mappings_of_staging");
  return { count: left?.count ?? null };
}

/** Shows what would be copied; nothing is changed yet. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const outcome = await planCopy(context.app.ports, { shop, actor, ...FROM_TO });
  if (outcome.kind === "nothing") return { isNothing: true };
  throw redirect(`/app/mappings/runs/${outcome.runId}`);
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function CopyPage() {
  const { count } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const isSending = useNavigation().state !== "idle";
  return (
    <Page
      title="Copy mappings to production"
      backAction={{ content: "Connection", url: "/app/settings/connection" }}
    >
      <BlockStack gap="400">
        {answer?.isNothing && (
          <Banner tone="info" title="There is nothing to copy">
            <p>Everything that is mapped in staging has its meaning in production.</p>
          </Banner>
        )}
        <Card>
          <BlockStack gap="300">
            <Text as="p">
              {count
                ? `${countOf(count, "variant")} mapped in staging only.`
                : "What is mapped in staging only is copied to production."}{" "}
              Tests and bundles are found in production’s catalogue by their names. A product that
              is no test is copied too.
            </Text>
            <Text as="p">
              You see each mapping before anything changes, and which can’t be copied. What
              production has already stays as it is.
            </Text>
            <Form method="post">
              <InlineStack>
                <Button submit variant="primary" loading={isSending}>
                  Show what would be copied
                </Button>
              </InlineStack>
            </Form>
          </BlockStack>
        </Card>
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
