import type { Catalogue } from "../catalogue/catalogue.ts";
import { ApiError, invalidPayload } from "../http/api-error.ts";
import { isJsonObject } from "../json.ts";
import type { Organisation } from "../organisations/organisation.ts";
import type { ProviderNumberStore } from "../organisations/provider-number-store.ts";
import type { CreateRequest } from "../referrals/create-request.ts";
import { address, shortText } from "../referrals/patient-fields.ts";
import type { MedicareOrder, OrderingPractitioner } from "../referrals/referral.ts";
import { isMedicareCardNumber } from "./card-number.ts";
import { readProviderNumber } from "./provider-number.ts";

export interface MedicareRules {
  catalogue: Catalogue;
  providerNumbers: ProviderNumberStore;
}

function readPractitioner(value: unknown): OrderingPractitioner {
  if (value === undefined || value === null) {
    throw new ApiError(
      400,
      "MISSING_PROVIDER_NUMBER",
      "orderingPractitioner is required when medicareTests is present",
    );
  }
  if (!isJsonObject(value)) throw invalidPayload("orderingPractitioner must be an object");
  if (value.providerNumber === undefined || value.providerNumber === null) {
    throw new ApiError(
      400,
      "MISSING_PROVIDER_NUMBER",
      "orderingPractitioner.providerNumber is required when medicareTests is present",
    );
  }
  const providerNumber = readProviderNumber(value.providerNumber);
  if (providerNumber === null) {
    throw new ApiError(
      400,
      "INVALID_PROVIDER_NUMBER",
      "orderingPractitioner.providerNumber is not a valid 8-character Medicare provider number",
    );
  }
  const name = shortText.safeParse(value.name);
  const place = shortText.or(address).safeParse(value.address);
  const errorList = [
    ...(name.success ? [] : ["orderingPractitioner.name: required"]),
    ...(place.success ? [] : ["orderingPractitioner.address: required"]),
  ];
  if (!name.success || !place.success) {
    throw invalidPayload("orderingPractitioner needs name, address and providerNumber", errorList);
  }
  return { name: name.data, address: place.data, providerNumber };
}

function requireRegistration(
  rules: MedicareRules,
  organisation: Organisation,
  providerNumber: string,
): void {
  const registered = rules.providerNumbers.find(organisation.id, providerNumber);
  if (!registered) {
    throw new ApiError(
      400,
      "INVALID_PROVIDER_NUMBER",
      "The provider number is not registered for this organisation (Settings, Provider Numbers)",
    );
  }
  if (!registered.signature) {
    throw new ApiError(
      400,
      "MISSING_PROVIDER_SIGNATURE",
      "No signature is on file for this provider number (Settings, Provider Numbers)",
    );
  }
}

function requireBloodTests(catalogue: Catalogue, tests: string[]): void {
  const others = tests.filter((id) => catalogue.tests.get(id)?.type !== "blood");
  if (others.length === 0) return;
  throw new ApiError(
    400,
    "INVALID_MEDICARE_TEST",
    "Only pathology (blood) tests can be ordered under Medicare",
    { errorList: others.map((id) => `medicareTests: ${id} is not a pathology (blood) test`) },
  );
}

/**
 * Checks the Medicare half of an order (interface §4.2 rules 9 and 10) and gives it back as stored.
 *
 * Throws ApiError 400 with each of the Medicare codes of §7.3.
 */
export function readMedicareOrder(
  rules: MedicareRules,
  organisation: Organisation,
  request: CreateRequest,
): MedicareOrder {
  const orderingPractitioner = readPractitioner(request.orderingPractitioner);
  requireRegistration(rules, organisation, orderingPractitioner.providerNumber);
  requireBloodTests(rules.catalogue, request.medicareTests ?? []);
  if (!isMedicareCardNumber(request.medicareCardNumber)) {
    throw new ApiError(
      400,
      "INVALID_MEDICARE_NUMBER",
      "medicareCardNumber must be a valid Medicare card number of 10 digits, optionally followed by the 1-digit IRN",
    );
  }
  return {
    orderingPractitioner,
    medicareCardNumber: request.medicareCardNumber,
    dvaNumber: request.dvaNumber ?? null,
    clinicalNotes: request.clinicalNotes ?? null,
  };
}
