import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import {
  BlockStack,
  Box,
  Button,
  Card,
  InlineError,
  InlineStack,
  List,
  Page,
  Text,
} from "@shopify/polaris";
import { z } from "zod";
import { downloadFile } from "../../components/download/download-file.ts";
import { keepPage, rereadAnswered } from "../../components/form/keep-page.ts";
import { COLUMNS } from "../../modules/catalogue/columns.ts";
import { planImport } from "../../modules/catalogue/plan-import.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import { readSettings } from "../../modules/reports/read-settings.ts";
import { ENVIRONMENTS } from "../../modules/shops/connection.ts";
import { addressOf } from "../app.mappings/address.ts";
import { readSelection } from "../app.mappings/selection.ts";
import { readUpload } from "./read-upload.server.ts";

export const meta: MetaFunction = () => [{ title: "Import mappings · Pathway" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop } = await context.merchant(request);
  const { environment } = readSelection(new URL(request.url).searchParams);
  const { policies } = await readSettings(context.app.ports, shop);
  return { environment: environment ?? policies.environment };
}

/** Reads the file and shows what it would change; nothing is changed yet. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const upload = await readUpload(request);
  if (upload.kind === "fault") return data({ message: upload.message }, { status: 422 });
  const environment = z.enum(ENVIRONMENTS).safeParse(upload.environment);
  if (!environment.success) throw data(null, { status: 400 });
  const { name, bytes } = upload;
  const plan = { shop, actor, environment: environment.data, name, bytes };
  const outcome = await planImport(context.app.ports, plan);
  if (outcome.kind === "unreadable") return data({ message: outcome.message }, { status: 422 });
  throw redirect(`/app/mappings/runs/${outcome.runId}`);
}

export const clientAction = keepPage;
export const shouldRevalidate = rereadAnswered;

export default function ImportPage() {
  const { environment } = useLoaderData<typeof loader>();
  // An answer that never came says nothing of the file.
  const fault = useActionData<{ message?: string }>()?.message;
  const isSending = useNavigation().state !== "idle";
  const file = `/app/mappings/export?environment=${environment}`;
  return (
    <Page
      backAction={{ content: "Product mapping", url: addressOf({ environment }) }}
      title="Import mappings"
      subtitle={`For ${ENVIRONMENT_NAMES[environment].toLowerCase()}. You see what would change before anything does.`}
    >
      <BlockStack gap="400">
        <Card>
          <Form method="post" encType="multipart/form-data">
            <input type="hidden" name="environment" value={environment} />
            <BlockStack gap="300">
              <label htmlFor="mapping-file">
                <Text as="span" variant="headingMd">
                  CSV file
                </Text>
              </label>
              <input
                id="mapping-file"
                className="pathway-file"
                type="file"
                name="file"
                accept=".csv,text/csv,text/plain"
                required
                aria-describedby={
                  fault ? "mapping-file-help mapping-file-error" : "mapping-file-help"
                }
                aria-invalid={fault ? true : undefined}
              />
              {fault && <InlineError message={fault} fieldID="mapping-file" />}
              <Text as="p" tone="subdued" id="mapping-file-help">
                Up to 5 MB and 20,000 lines.
              </Text>
              <InlineStack gap="200">
                <Button submit variant="primary" loading={isSending}>
                  Check the file
                </Button>
                <Button onClick={() => void downloadFile(file, "pathway-mappings.csv")}>
                  Export to start from
                </Button>
              </InlineStack>
            </BlockStack>
          </Form>
        </Card>
        <Card>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              What the columns say
            </Text>
            <List>
              <List.Item>
                <b>variant_id</b> or <b>sku</b>: which variant the line is about
              </List.Item>
              <List.Item>
                <b>kind</b>: test, not a test, or unmapped
              </List.Item>
              <List.Item>
                <b>bundle</b>, <b>tests</b>, <b>medicare_tests</b>: names or ids of the catalogue,
                with | between tests
              </List.Item>
              <List.Item>
                <b>practitioner_provider_number</b>: who orders the Medicare tests
              </List.Item>
              <List.Item>
                <b>clinical_notes</b>: printed on their Medicare forms; without the column, notes
                stay
              </List.Item>
              <List.Item>
                <b>preparation</b>: what patients do before the collection; without the column, it
                stays
              </List.Item>
            </List>
            <Text as="p" tone="subdued">
              {`In all: ${COLUMNS.join(", ")}. A line that says nothing leaves its variant as it is, and so does a variant without a line.`}
            </Text>
          </BlockStack>
        </Card>
      </BlockStack>
      <Box paddingBlockEnd="800" />
    </Page>
  );
}
