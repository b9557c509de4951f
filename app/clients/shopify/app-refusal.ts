import type { HttpResponseError } from "@shopify/shopify-api";
import { z } from "zod";

const appFaults = z.object({
  error: z.enum(["invalid_client", "unauthorized_client", "application_cannot_be_found"]),
});

/** Whether Shopify refused the app itself, whatever the shop: its client id or secret is wrong. It says nothing of the token. */
export const isOfTheApp = ({ response }: HttpResponseError): boolean =>
  appFaults.safeParse(response.body).success;
