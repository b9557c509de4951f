import type { Fields } from "../../components/form/use-fields.ts";
import type { Environment } from "../../domain/connections/connection.ts";
import type { RefundPolicy, ReleasePolicy } from "../../domain/shops/shop.ts";
import type { WaitingRefunds } from "../../messages/policies.ts";

/** The fields of the policies' form. */
export type PolicyValues = {
  environment: Environment;
  holdOrders: boolean;
  strictMode: boolean;
  minimumAge: string;
  releasePolicy: ReleasePolicy;
  reviewerName: string;
  reviewerPhone: string;
  reviewerEmail: string;
  contactName: string;
  contactPhone: string;
  releaseAfterHours: string;
  acceptClinicalTexts: boolean;
  refundPolicy: RefundPolicy;
  waitingRefunds: WaitingRefunds;
  emailByService: boolean;
  markFulfilled: boolean;
  tagOrders: boolean;
  startFlows: boolean;
};

/** What each card of the form gets. */
export interface PolicyPart {
  fields: Fields<PolicyValues>;
  errors: Record<string, string>;
}
