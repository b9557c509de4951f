import type { VariantId } from "../kernel/ids.ts";
import type { Practitioner } from "./referral-service.ts";

/** A doctor in the shop's registry. The provider number is one doctor at one practice. */
export interface RegisteredPractitioner extends Practitioner {
  /** The merchant's name for the practitioner, or "". */
  label: string;
  /** The service's code when it last refused this provider number, or null. */
  fault: string | null;
  faultAt: Date | null;
}

/** A mapping that orders under a practitioner. */
export interface PractitionerUse {
  /** Of a mapping for a whole product, any of its variants; null when none is known. */
  variantId: VariantId | null;
  title: string;
}

export interface PractitionerRepository {
  all(): Promise<RegisteredPractitioner[]>;
  find(providerNumber: string): Promise<RegisteredPractitioner | null>;
  /** Adds or changes. What the service said about the number stays: only it can take that back. */
  save(practitioner: Practitioner & { label?: string }): Promise<void>;
  remove(providerNumber: string): Promise<void>;
  /** Mappings of any environment that order under each practitioner. */
  uses(): Promise<Map<string, PractitionerUse[]>>;
  /** The service refused the number, or took it: null. */
  recordVerdict(providerNumber: string, fault: string | null, at: Date): Promise<void>;
}

/** The codes with which the service refuses a provider number (interface §7.3). */
export const PRACTITIONER_FAULTS: readonly string[] = [
  "INVALID_PROVIDER_NUMBER",
  "MISSING_PROVIDER_SIGNATURE",
  "MISSING_PROVIDER_NUMBER",
];
