import { randomBytes } from "node:crypto";
import { connectDrivers, type Drivers } from "../drivers/connect-drivers.ts";
import type { World } from "../open-world.ts";
import type { Trail } from "../trail.ts";
import type { MappedProduct } from "../world-line.ts";
import { type PlannedMapping, planMappings } from "./plan-mappings.ts";

/** The doctor under whose provider number the demo's Medicare tests are ordered. */
const PRACTITIONER = {
  name: "Dr Priya Raman",
  address: "12 Collins Street, Melbourne VIC 3000",
  // 242662, location 1, check character B: well formed, and nobody's.
  providerNumber: "2426621B",
};

/** The person who reads held results. All other policies stay as they were. */
export const REVIEWER = {
  reviewerName: "Dr Robin Reader",
  reviewerPhone: "02 5550 1234",
  reviewerEmail: "reviewer@example.com",
};
const POLICIES = { intent: "save-policies", environment: "staging", minimumAge: "18" };

export interface SetUp {
  drivers: Drivers;
  products: MappedProduct[];
}

/** Installs the app, connects it to the service and maps the shop's products, all through its own pages. */
export async function setUp(
  world: Pick<World, "appUrl" | "service" | "store">,
  trail: Pick<Trail, "step">,
  { releasePolicy }: { releasePolicy?: string | undefined } = {},
): Promise<SetUp> {
  const drivers = connectDrivers(world);
  const { console, pages, service, store } = drivers;

  await trail.step("The merchant installs the app and opens it", async () => {
    const { status, hasToken } = await store.install();
    if (status !== 200 || !hasToken)
      throw new Error(
        `the app's page answered ${status}, ${hasToken ? "with" : "without"} a token`,
      );
  });
  await trail.step("The merchant connects the referral service", async () => {
    const signingSecret = `whsec_${randomBytes(24).toString("base64")}`;
    await pages.saveConnection({
      environment: "staging",
      clientId: world.service.client_id,
      clientSecret: world.service.client_secret,
      signingScheme: "standard-webhooks",
      signingSecret,
    });
    const url = await pages.webhookAddress("staging");
    await console.setWebhook({ url, secret: signingSecret, scheme: "standard-webhooks" });
  });
  await trail.step("The connection passes its test", () => pages.testConnection("staging"));
  if (releasePolicy !== undefined)
    await trail.step(`The merchant names a reviewer and chooses "${releasePolicy}"`, () =>
      pages.submit("/app/settings", { ...POLICIES, ...REVIEWER, releasePolicy }),
    );
  await trail.step("A doctor's provider number is registered at the service", () =>
    console.addProviderNumber({ ...PRACTITIONER, signature: true }),
  );
  const plan = await trail.step("Products and catalogue are matched", async () =>
    planMappings(await store.products(), {
      tests: await service.tests(),
      bundles: await service.bundles(),
    }),
  );
  await trail.step("The merchant maps the products", async () => {
    // An earlier start may have added the practitioner, and the app may have changed them since: the number alone
    // says who it is.
    const isListed = (await pages.open("/app/practitioners")).includes(PRACTITIONER.providerNumber);
    for (const mapping of plan) await saveMapping(drivers, mapping, isListed);
  });
  return {
    drivers,
    products: plan.map(({ variantId, title, mapsTo, state }) => ({
      variantId,
      title,
      mapsTo,
      state,
    })),
  };
}

async function saveMapping({ pages }: Drivers, mapping: PlannedMapping, isListed: boolean) {
  const { productId, variantId, mapsTo, state } = mapping;
  if (state === "unmapped") return;
  if (state === "ignored") await pages.saveMapping({ productId, variantId, kind: "ignored" });
  else
    await pages.saveMapping({
      productId,
      variantId,
      kind: "order",
      ...mapsTo,
      ...(mapsTo.medicareTests === undefined
        ? {}
        : {
            ...(isListed
              ? {}
              : {
                  practitionerName: PRACTITIONER.name,
                  practitionerAddress: PRACTITIONER.address,
                }),
            practitionerProviderNumber: PRACTITIONER.providerNumber,
          }),
    });
}
