import { z } from "zod";
import { customerAccountsSchema, timeZoneSchema } from "./store-facts.ts";

/** Reads all that Pathway acts on from one order. Line items beyond the first page follow by cursor. */
export const ORDER_QUERY = `#graphql
  query PathwayOrder($id: ID!, $after: String) {
    shop {
      id
      name
      contactEmail
      ianaTimezone
      customerAccountsV2 {
        customerAccountsVersion
      }
    }
    order(id: $id) {
      id
      name
      test
      displayFinancialStatus
      fullyPaid
      totalOutstandingSet {
        shopMoney {
          amount
        }
      }
      cancelledAt
      processedAt
      createdAt
      updatedAt
      email
      phone
      statusPageUrl
      tags
      customer {
        id
        firstName
        lastName
      }
      shippingAddress {
        ...PathwayAddress
      }
      billingAddress {
        ...PathwayAddress
      }
      lineItems(first: 50, after: $after) {
        nodes {
          id
          title
          sku
          quantity
          currentQuantity
          isGiftCard
          product {
            id
          }
          variant {
            id
          }
          lineItemGroup {
            variantId
            productId
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
  fragment PathwayAddress on MailingAddress {
    firstName
    lastName
    phone
    address1
    address2
    city
    provinceCode
    zip
    countryCodeV2
  }
`;

const text = z
  .string()
  .nullish()
  .transform((value) => value || null);

const addressSchema = z
  .object({
    firstName: text,
    lastName: text,
    phone: text,
    address1: text,
    address2: text,
    city: text,
    provinceCode: text,
    zip: text,
    countryCodeV2: text,
  })
  .nullish()
  .transform((value) => value ?? null);

export const orderAnswerSchema = z.object({
  shop: z
    .object({
      id: z.string().nullish(),
      name: z.string(),
      contactEmail: z.string().nullish(),
      ianaTimezone: timeZoneSchema,
      customerAccountsV2: customerAccountsSchema.nullish(),
    })
    .nullish(),
  order: z
    .object({
      id: z.string(),
      name: z.string(),
      test: z.boolean(),
      displayFinancialStatus: z.string().nullable(),
      fullyPaid: z.boolean().nullish(),
      totalOutstandingSet: z.object({ shopMoney: z.object({ amount: z.string() }) }).nullish(),
      cancelledAt: z.string().nullable(),
      processedAt: z.string(),
      createdAt: z.string().nullish(),
      updatedAt: z.string(),
      email: text,
      phone: text,
      statusPageUrl: text,
      tags: z.array(z.string()).optional(),
      customer: z
        .object({ id: z.string(), firstName: text, lastName: text })
        .nullish()
        .transform((value) => value ?? null),
      shippingAddress: addressSchema,
      billingAddress: addressSchema,
      lineItems: z.object({
        nodes: z.array(
          z.object({
            id: z.string(),
            title: z.string(),
            sku: text,
            quantity: z.number().int(),
            currentQuantity: z.number().int(),
            isGiftCard: z.boolean(),
            product: z.object({ id: z.string() }).nullable(),
            variant: z.object({ id: z.string() }).nullable(),
            lineItemGroup: z
              .object({ variantId: z.string().nullish(), productId: z.string().nullish() })
              .nullish(),
          }),
        ),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    })
    .nullable(),
});

export type OrderAnswer = NonNullable<z.infer<typeof orderAnswerSchema>["order"]>;
