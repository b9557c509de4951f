import type { Api } from "@shopify/ui-extensions/purchase.thank-you.block.render";
import { hasTests } from "../../shared/has-tests.ts";
import { orderPlace } from "./order-place.ts";

type Page = Pick<Api, "appMetafields" | "i18n" | "orderConfirmation" | "shop">;

/**
 * The next step for an order of tests; nothing for any other. It asks the app nothing: who stands before the thank-you
 * page need not be signed in, and the order may not have reached the app yet.
 */
export function ThankYou({ page }: { page: Page }) {
  if (!hasTests(page.appMetafields.value)) return null;
  const { order } = page.orderConfirmation.value;
  const words = (key: string) => page.i18n.translate(key);
  return (
    <s-section heading={words("heading")}>
      <s-stack gap="base">
        <s-paragraph>{words("next")}</s-paragraph>
        <s-button variant="primary" href={orderPlace(page.shop.id, order.id)}>
          {words("button")}
        </s-button>
        <s-paragraph color="subdued">{words("later")}</s-paragraph>
      </s-stack>
    </s-section>
  );
}
