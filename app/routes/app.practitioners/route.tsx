import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Card, Page, Text } from "@shopify/polaris";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { readForm } from "../../components/form/read-form.server.ts";
import { readPractitioners } from "../../modules/catalogue/keep-practitioners.ts";
import { applyPractitioner } from "./apply-practitioner.ts";
import { NewPractitioner } from "./new-practitioner.tsx";
import { PractitionerCard } from "./practitioner-card.tsx";
import { presentPractitioners } from "./present-practitioners.ts";

export const meta: MetaFunction = () => [{ title: "Practitioners · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  return { practitioners: presentPractitioners(await readPractitioners(context.app.ports, shop)) };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  return applyPractitioner(context.app.ports, { shop, actor }, await readForm(request));
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function PractitionersPage() {
  const { practitioners } = useLoaderData<typeof loader>();
  return (
    <Page
      backAction={{ content: "Settings", url: "/app/settings" }}
      title="Practitioners"
      subtitle="Doctors under whose provider number your Medicare tests are ordered."
      narrowWidth
    >
      <BlockStack gap="400">
        {practitioners.length === 0 && (
          <Card>
            <Text as="p" tone="subdued">
              Nobody is in your list yet. You need somebody here only for products with tests under
              Medicare.
            </Text>
          </Card>
        )}
        {practitioners.map((one) => (
          <PractitionerCard key={one.providerNumber} practitioner={one} />
        ))}
        <NewPractitioner />
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
