import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { OrderId, ShopDomain } from "../../domain/ids.ts";
import { resyncOrder } from "../../domain/orders/resync-order.ts";
import type { Ports } from "../../domain/ports.ts";
import { releaseRequest } from "../../domain/requests/release-request.ts";
import { retryRequest } from "../../domain/requests/retry-request.ts";
import { releaseResults } from "../../domain/results/release-result.ts";
import type { Actor } from "../../domain/timeline/timeline.ts";
import type { OrderForm } from "./order-form.ts";

type Result = Required<Pick<FormAnswer, "toast" | "toastIsError">>;

/** Does what staff ask for, and says what happens now. */
export async function applyOrder(
  ports: Ports,
  target: { shop: ShopDomain; orderId: OrderId; actor: Actor },
  value: OrderForm,
): Promise<Result> {
  const { shop, orderId, actor } = target;
  switch (value.intent) {
    case "resync": {
      const outcome = await resyncOrder(ports, { shop, orderId });
      return outcome.kind === "queued"
        ? said("Looking the order and its referrals up again")
        : refused("This order isn’t in Pathway any more");
    }
    case "retry": {
      const { requestId } = value;
      const outcome = await retryRequest(ports, { shop, requestId, actor });
      return outcome.kind === "queued"
        ? said("Sending it again")
        : refused("It has moved on since: nothing to retry");
    }
    case "release": {
      const { requestId } = value;
      const outcome = await releaseRequest(ports, { shop, requestId, actor });
      return outcome.kind === "queued"
        ? said("Released: it’s being sent")
        : refused("It has moved on since: nothing to release");
    }
    case "release-results": {
      const { requestId } = value;
      const outcome = await releaseResults(ports, { shop, requestId, actor });
      return outcome.kind === "released"
        ? said("Results released: the patient can see them")
        : refused("No results are held any more");
    }
  }
}

const said = (toast: string): Result => ({ toast, toastIsError: false });
const refused = (toast: string): Result => ({ toast, toastIsError: true });
