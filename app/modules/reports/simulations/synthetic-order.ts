import type { Mapping } from "../../catalogue/mapping.ts";
import { gid, gidNumber } from "../../kernel/ids.ts";
import type { StoreOrder } from "../../orders/order.ts";
import type { MedicareCard, Patient } from "../../patients/patient.ts";
import type { Simulation } from "../simulation.ts";

/** Nobody: an address that RFC 2606 keeps free of mail, a number that is kept free of calls. */
export const SYNTHETIC_PATIENT: Patient = {
  firstName: "Simulation",
  lastName: "Patient",
  email: "simulation@example.com",
  phone: "0491570006",
  dob: "1980-01-01",
  gender: "female",
  address: {
    addressLine1: "1 Simulation Street",
    addressLine2: null,
    city: "Sydney",
    state: "NSW",
    postCode: "2000",
    country: "Australia",
  },
};

/** Well formed, and nobody's. */
export const SYNTHETIC_MEDICARE_CARD: MedicareCard = {
  medicareCardNumber: "2950628481",
  dvaNumber: null,
};

/** One paid unit, as the store would tell of it. A test order, so it goes to staging. */
export function syntheticOrder(
  { orderId, variantId, title, startedAt }: Simulation,
  { productId }: Pick<Mapping, "productId">,
): StoreOrder {
  return {
    id: orderId,
    name: "Simulation",
    paid: true,
    paidInPart: false,
    test: true,
    cancelledAt: null,
    processedAt: startedAt,
    updatedAt: startedAt,
    customerId: null,
    buyer: {
      firstName: null,
      lastName: null,
      email: null,
      phone: null,
      address: null,
      statusUrl: null,
    },
    lines: [
      {
        id: gid("LineItem", gidNumber(orderId)),
        title,
        sku: null,
        productId,
        variantId,
        quantity: 1,
        currentQuantity: 1,
      },
    ],
  };
}
