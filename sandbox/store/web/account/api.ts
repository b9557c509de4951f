import express, { type Response, type Router } from "express";
import { z } from "zod";
import type { WebContext } from "../context.ts";
import { asyncHandler, sameSiteOnly } from "../http.ts";
import { orderAccess, signedInCustomer } from "./session.ts";

const tokenBody = z.object({ orderId: z.string().default(""), key: z.string().default("") });
const queryBody = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).optional(),
});

/** Answers the page of a hosted extension on the extension's behalf. */
export function accountApi({ ports }: WebContext): Router {
  const router = express.Router();
  router.use(sameSiteOnly, express.json());
  router.post(
    "/session-token",
    asyncHandler(async (request, response) => {
      const { orderId, key } = tokenBody.parse(request.body);
      const customerId = (await signedInCustomer(request, ports))?.id ?? null;
      const access = await orderAccess(ports, { orderId, key, customerId });
      // A token without `sub` for readers of a status link: they have not proved who they are.
      if (access.kind === "link") response.json({ token: await ports.mintCustomerToken(null) });
      else if (customerId) response.json({ token: await ports.mintCustomerToken(customerId) });
      else response.status(401).json({ error: "Not signed in" });
    }),
  );
  router.post(
    "/customer-graphql",
    asyncHandler(async (request, response) => {
      const customer = await signedInCustomer(request, ports);
      if (!customer) response.status(401).json({ error: "Not signed in" });
      else if (!ports.customerGraphql) notModelled(response, "the Customer Account API");
      else response.json(await ports.customerGraphql(customer.id, queryBody.parse(request.body)));
    }),
  );
  router.post(
    "/storefront-graphql",
    asyncHandler(async (request, response) => {
      if (!ports.storefrontGraphql) notModelled(response, "the Storefront API");
      else response.json(await ports.storefrontGraphql(queryBody.parse(request.body)));
    }),
  );
  return router;
}

function notModelled(response: Response, what: string): void {
  response.status(501).json({ error: `The sandbox does not model ${what}` });
}
