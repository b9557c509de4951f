import type { Fields } from "../../components/form/use-fields.ts";
import type { Environment } from "../../modules/shops/connection.ts";
import type { WaitingRefunds } from "../../modules/shops/policy-words.ts";
import type { RefundPolicy, ReleasePolicy } from "../../modules/shops/shop.ts";

/** The fields of the policies' form. */
export type PolicyValues = {
  environment: Environment;
  holdOrders: boolean;
  holdHighRisk: boolean;
  strictMode: boolean;
  minimumAge: string;
  releasePolicy: ReleasePolicy;
  reviewerName: string;
  reviewerPhone: string;
  reviewerEmail: string;
  contactName: string;
  contactPhone: string;
  helpEmail: string;
  helpPhone: string;
  helpHours: string;
  releaseAfterHours: string;
  acceptClinicalTexts: boolean;
  refundPolicy: RefundPolicy;
  waitingRefunds: WaitingRefunds;
  emailByService: boolean;
  markFulfilled: boolean;
  tagOrders: boolean;
  startFlows: boolean;
};

/** The props of each card of the form. */
export interface PolicyPart {
  fields: Fields<PolicyValues>;
  errors: Record<string, string>;
}
