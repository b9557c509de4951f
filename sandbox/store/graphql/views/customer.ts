import { financialStatus, orderAmounts } from "../../orders/amounts.ts";
import type { CustomerDocument } from "../../state/customer.ts";
import { globalId } from "../../state/global-id.ts";
import type { OrderDocument } from "../../state/order.ts";
import { fullName } from "../../webhooks/payloads/address.ts";
import { listConnection, type PageArguments } from "../connection.ts";
import type { Caller } from "../context.ts";
import { type OrdersArguments, ordersConnection, visibleOrders } from "../queries/orders.ts";
import type { View } from "../view.ts";
import { addressView } from "./address.ts";
import { metafieldFields } from "./metafield.ts";
import { moneyV2 } from "./money.ts";

/** Customer. An order shows its customer, so how an order looks is given. */
export function customerView(
  caller: Caller,
  customer: CustomerDocument,
  orderView: (caller: Caller, order: OrderDocument) => View,
): View {
  const id = globalId("Customer", customer.id);
  const home = customer.addresses.find((address) => address.id === customer.defaultAddressId);
  const orders = () => visibleOrders(caller).filter((order) => order.customerId === customer.id);
  return {
    __typename: "Customer",
    id,
    legacyResourceId: String(customer.id),
    firstName: customer.firstName,
    lastName: customer.lastName,
    displayName: fullName(customer) || customer.email || customer.phone || "",
    email: customer.email,
    phone: customer.phone,
    defaultEmailAddress:
      customer.email === null
        ? null
        : {
            emailAddress: customer.email,
            marketingState: "NOT_SUBSCRIBED",
            marketingOptInLevel: "SINGLE_OPT_IN",
            marketingUpdatedAt: null,
            validFormat: true,
          },
    defaultPhoneNumber: customer.phone === null ? null : { phoneNumber: customer.phone },
    state: customer.state,
    note: customer.note,
    tags: customer.tags,
    locale: "en-AU",
    verifiedEmail: customer.verifiedEmail,
    taxExempt: false,
    taxExemptions: [],
    createdAt: customer.createdAt,
    updatedAt: customer.updatedAt,
    defaultAddress: home ? addressView(home) : null,
    addresses: ({ first }: { first?: number | null }) =>
      customer.addresses.slice(0, first ?? undefined).map(addressView),
    addressesV2: (args: PageArguments) => listConnection(customer.addresses, args, addressView),
    numberOfOrders: () => String(orders().length),
    amountSpent: () =>
      moneyV2(
        orders()
          .filter((order) => financialStatus(order) !== "VOIDED")
          .map(orderAmounts)
          .reduce((cents, amounts) => cents + amounts.receivedCents - amounts.refundedCents, 0),
        caller.shop.currencyCode,
      ),
    orders: (args: OrdersArguments) =>
      ordersConnection(orders(), args, (order) => orderView(caller, order)),
    ...metafieldFields(caller, id, () => customerView(caller, customer, orderView)),
  };
}
