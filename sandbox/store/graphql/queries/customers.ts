import type { CustomerDocument } from "../../state/customer.ts";
import { connection, type Position } from "../connection.ts";
import type { Caller } from "../context.ts";
import { notModelled } from "../not-modelled.ts";
import { type SearchFields, search } from "../search.ts";
import { customerView } from "../views/customer.ts";
import { orderView } from "../views/order.ts";
import type { SearchArguments } from "./products.ts";

export const customersOf = (caller: Caller): CustomerDocument[] =>
  caller.platform.data.customers.all().filter((customer) => customer.shop === caller.shop.id);

export function customersConnection(caller: Caller, args: SearchArguments) {
  const position = positions[args.sortKey ?? "ID"];
  if (!position) throw notModelled(`sorting customers by ${args.sortKey}`);
  return connection(searchCustomers(customersOf(caller), args.query), args, position, (customer) =>
    customerView(caller, customer, orderView),
  );
}

export const searchCustomers = (customers: CustomerDocument[], query: string | null | undefined) =>
  search(customers, query, customerSearchFields, (customer) =>
    [customer.firstName, customer.lastName, customer.email, customer.phone].join(" "),
  );

const positions: Record<string, (customer: CustomerDocument) => Position> = {
  ID: (customer) => [customer.id, customer.id],
  CREATED_AT: (customer) => [Date.parse(customer.createdAt), customer.id],
  UPDATED_AT: (customer) => [Date.parse(customer.updatedAt), customer.id],
  NAME: (customer) => [`${customer.lastName}, ${customer.firstName}`.toLowerCase(), customer.id],
};

export const customerSearchFields: SearchFields<CustomerDocument> = {
  id: (customer) => customer.id,
  email: (customer) => customer.email,
  phone: (customer) => customer.phone,
  first_name: (customer) => customer.firstName,
  last_name: (customer) => customer.lastName,
  tag: (customer) => customer.tags,
  state: (customer) => customer.state,
  customer_date: (customer) => new Date(customer.createdAt),
  updated_at: (customer) => new Date(customer.updatedAt),
};
