import { Banner, BlockStack, Box, Card, ChoiceList, Layout, Select, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { ChangedMeanwhile } from "../../components/feedback/changed-meanwhile.tsx";
import { KeptChanges } from "../../components/form/kept-changes.tsx";
import { useMeanwhile } from "../../components/form/use-meanwhile.ts";
import { useSavedForm } from "../../components/form/use-saved-form.ts";
import { countOf } from "../../modules/kernel/words.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import { MAPPING_FORM } from "../app.mappings/mapping-form-name.ts";
import { ContentsCard } from "./contents-card.tsx";
import { MarginCard } from "./margin-card.tsx";
import { MedicareCard } from "./medicare-card.tsx";
import { PreparationCard } from "./preparation-card.tsx";
import type { VariantForm } from "./present-variant.ts";
import { RefusedPractitioner } from "./refused-practitioner.tsx";
import { RemoveMapping } from "./remove-mapping.tsx";
import { TestPicker } from "./test-picker.tsx";
import { WholeProductCard } from "./whole-product-card.tsx";

/**
 * Says what one variant means: an order at the laboratory, or nothing that concerns it. `notice`: what was done last. Beside
 * "Nothing was saved" it would read as if something was.
 */
export function MappingForm({ view, notice }: { view: VariantForm; notice: ReactNode }) {
  const { fetcher, form, fields, onSubmit, answer, errors } = useSavedForm(
    MAPPING_FORM,
    view.saved,
  );
  const isIdle = fetcher.state === "idle";
  const { meanwhile, isTold, kept } = useMeanwhile(fields, { answer, isIdle });
  const { values, set } = fields;
  const isTest = values.kind === "order";
  const bundle = view.bundles.find((one) => one.id === values.bundleId);
  const isBundleGone = values.bundleId !== "" && !bundle;
  return (
    <fetcher.Form method="post" ref={form} onSubmit={onSubmit} noValidate>
      {!meanwhile && <Box paddingBlockEnd="400">{notice}</Box>}
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="environment" value={view.environment} />
      <input type="hidden" name="variantId" value={view.variantId} />
      <input type="hidden" name="productId" value={view.productId} />
      <input type="hidden" name="seen" value={view.version} />
      <input type="hidden" name="tests" value={values.tests.join(",")} />
      <input type="hidden" name="medicareTests" value={values.medicareTests.join(",")} />
      <Layout>
        <Layout.Section>
          <BlockStack gap="400">
            {meanwhile && !isTold && <ChangedMeanwhile sentence={meanwhile} />}
            <KeptChanges
              fields={kept}
              refused={meanwhile}
              lines={describeTyped(fields.kept ?? {}, view)}
            />
            <FormNotice view={view} />
            <Card>
              <ChoiceList
                title="What is this product?"
                name="kind"
                selected={[values.kind]}
                onChange={([kind]) => set("kind")(kind === "ignored" ? "ignored" : "order")}
                choices={[
                  {
                    value: "order",
                    label: "A pathology test",
                    helpText: "Each unit that is paid for becomes one referral.",
                  },
                  {
                    value: "ignored",
                    label: "Not a test",
                    helpText: "Pathway leaves it alone, whatever else is in the order.",
                  },
                ]}
              />
            </Card>
            {isTest && (
              <Card>
                <BlockStack gap="400">
                  <Text as="h2" variant="headingMd">
                    Tests included
                  </Text>
                  <Select
                    label="Bundle"
                    name="bundleId"
                    value={values.bundleId}
                    onChange={set("bundleId")}
                    options={[
                      { value: "", label: "No bundle" },
                      ...(isBundleGone
                        ? [{ value: values.bundleId, label: "A bundle that has gone" }]
                        : []),
                      ...view.bundles.map(({ id, name }) => ({ value: id, label: name })),
                    ]}
                    error={isBundleGone ? "This bundle has gone from the catalogue." : undefined}
                  />
                  <TestPicker
                    label={values.bundleId ? "Extra tests" : "Tests"}
                    tests={view.tests}
                    selected={values.tests}
                    onChange={set("tests")}
                    error={errors.items}
                  />
                </BlockStack>
              </Card>
            )}
            {isTest && <PreparationCard values={values} set={set} errors={errors} />}
            {isTest && (
              <MedicareCard
                tests={view.tests}
                values={values}
                set={set}
                errors={errors}
                practitioners={view.practitioners}
              />
            )}
          </BlockStack>
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <BlockStack gap="400">
            <WholeProductCard view={view} scope={values.scope} setScope={set("scope")} />
            {isTest && <MarginCard view={view} values={values} />}
            {isTest && <ContentsCard view={view} values={values} />}
            {view.isMapped && <RemoveMapping view={view} />}
            <Card>
              <BlockStack gap="200">
                <Text as="h2" variant="headingMd">
                  Environment
                </Text>
                <Text as="p">
                  This mapping is for {ENVIRONMENT_NAMES[view.environment].toLowerCase()}.
                  {view.environments.length > 1 && " Each environment has its own."}
                </Text>
              </BlockStack>
            </Card>
          </BlockStack>
        </Layout.Section>
      </Layout>
      <Box paddingBlockEnd="400" />
    </fetcher.Form>
  );
}

/** The values that somebody typed, field by field, as the form would show it. */
function describeTyped(typed: Partial<VariantForm["saved"]>, view: VariantForm): string[] {
  const { kind, scope, bundleId, tests, medicareTests, clinicalNotes, preparation } = typed;
  const nameOf = (id: string) => view.tests.find((test) => test.id === id)?.name ?? id;
  const listed = (ids: readonly string[]) => ids.map(nameOf).join(", ") || "None";
  const bundle = view.bundles.find(({ id }) => id === bundleId)?.name ?? "No bundle";
  const doctor = typed.practitionerName ?? typed.practitionerProviderNumber;
  return [
    ...(kind ? [kind === "ignored" ? "Not a test" : "A pathology test"] : []),
    ...(scope ? [scope === "product" ? "For the whole product" : "For this variant only"] : []),
    ...(bundleId === undefined ? [] : [`Bundle: ${bundle}`]),
    ...(tests ? [`Tests: ${listed(tests)}`] : []),
    ...(medicareTests ? [`Medicare-billed tests: ${listed(medicareTests)}`] : []),
    ...(doctor === undefined ? [] : [`Practitioner: ${doctor || "None"}`]),
    ...(clinicalNotes === undefined ? [] : [`Clinical notes: ${clinicalNotes || "None"}`]),
    ...(preparation === undefined ? [] : [`Preparation: ${preparation || "None"}`]),
  ];
}

function FormNotice({ view }: { view: VariantForm }) {
  if (!view.hasCatalogue)
    return (
      <Banner
        tone="warning"
        title="Connect to the referral service first"
        action={{ content: "Open settings", url: "/app/settings/connection" }}
      >
        <p>The tests and bundles to choose from are its catalogue.</p>
      </Banner>
    );
  if (view.isDeleted)
    return (
      <Banner tone="critical" title="Your store doesn’t have this product any more">
        <p>Nobody can buy it. Remove its mapping, unless you are about to restore the product.</p>
      </Banner>
    );
  if (view.missing.length === 0 && view.practitionerFault)
    return (
      <RefusedPractitioner
        providerNumber={view.saved.practitionerProviderNumber}
        words={view.practitionerFault}
      />
    );
  if (view.missing.length === 0) return null;
  return (
    <Banner tone="critical" title="This mapping is broken">
      <p>
        {countOf(view.missing.length, "item")} of it {view.missing.length === 1 ? "is" : "are"} gone
        from the service’s catalogue, so orders for this product would be refused. Remove what has
        gone, choose a replacement, and save.
      </p>
    </Banner>
  );
}
