import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Box, Card, Page, Text } from "@shopify/polaris";
import { readForm } from "../../components/form/read-form.server.ts";
import { NAMELESS_PRODUCT } from "../../messages/mapping.ts";
import { describePractitionerFault } from "../../messages/practitioners.ts";
import { readPractitioners } from "../../modules/catalogue/keep-practitioners.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";
import { applyPractitioner } from "./apply-practitioner.ts";
import { NewPractitioner } from "./new-practitioner.tsx";
import { PractitionerCard } from "./practitioner-card.tsx";

export const meta: MetaFunction = () => [{ title: "Practitioners · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const all = await readPractitioners(context.app.ports, shop);
  return {
    practitioners: all.map(({ label, name, address, providerNumber, fault, faultAt, uses }) => ({
      label,
      name,
      address,
      providerNumber,
      fault: fault === null ? null : describePractitionerFault(fault),
      faultAt: faultAt?.toISOString() ?? null,
      uses: uses.map((use) => ({
        number: gidNumber(use.variantId),
        title: use.title || NAMELESS_PRODUCT,
      })),
    })),
  };
}

export type PractitionerView = Awaited<ReturnType<typeof loader>>["practitioners"][number];

export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, sessionToken } = await context.merchant(request);
  const actor = `staff:${sessionToken?.sub ?? "unknown"}` as const;
  return applyPractitioner(context.app.ports, { shop, actor }, await readForm(request));
}

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
