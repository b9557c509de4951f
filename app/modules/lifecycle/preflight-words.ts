import { countOf } from "../kernel/words.ts";
import type { PreflightCheck, PreflightCode } from "./preflight.ts";

interface CheckWords {
  text: string;
  /** What the merchant does about it; null when it is met. */
  remedy: { content: string; url: string } | null;
}

const WORDS: Record<
  PreflightCode,
  { met: (count: number) => string; open: (count: number) => string; remedy: CheckWords["remedy"] }
> = {
  connection: {
    met: () => "The connection to production was tested.",
    open: () =>
      "The connection to production doesn’t work: its last test failed, or the service refuses it.",
    remedy: { content: "Test the connection", url: "/app/settings/connection" },
  },
  mappings: {
    met: (count) => `${countOf(count, "product variant")} mapped for production.`,
    open: () => "No mapping for production works: no order would become a referral.",
    remedy: { content: "Map products", url: "/app/mappings?environment=production" },
  },
  mappings_broken: {
    met: () => "Production can take everything that is mapped for it.",
    open: (count) =>
      `${countOf(count, "variant")} on sale can’t be ordered as mapped for production. Their orders would wait in Needs attention.`,
    remedy: { content: "Map again", url: "/app/mappings?environment=production&state=broken" },
  },
  losses: {
    met: () => "Nothing costs more than it is sold for.",
    open: (count) => `${countOf(count, "variant")} sold for less than the service charges now.`,
    remedy: { content: "Compare prices", url: "/app/mappings?environment=production&state=mapped" },
  },
  mappings_of_staging: {
    met: () => "Everything that is mapped in staging is mapped for production too.",
    open: (count) =>
      `${countOf(count, "variant")} mapped in staging only. Their orders would wait in Needs attention.`,
    remedy: { content: "Copy from staging", url: "/app/mappings/copy" },
  },
  events: {
    met: () => "Events of production reach Pathway.",
    open: () =>
      "No event of production has reached Pathway. Without events, news takes minutes longer.",
    remedy: { content: "Copy the webhook address", url: "/app/settings/connection" },
  },
  clinical_texts: {
    met: () => "Your clinician has accepted the texts that patients read beside results.",
    open: () => "The texts that patients read beside results are not accepted.",
    remedy: { content: "Read and accept them", url: "/app/settings/results#clinical-texts" },
  },
  reviewer: {
    met: () => "Somebody reviews the results that are held, or none are.",
    open: () => "No reviewer is named. Patients see every result as soon as it arrives.",
    remedy: { content: "Name a reviewer", url: "/app/settings/results" },
  },
  contact: {
    met: () => "A patient with a critical result can ring somebody.",
    open: () => "Nobody is named whom a patient with a critical result can ring.",
    remedy: { content: "Name a contact", url: "/app/settings/results" },
  },
  help: {
    met: () => "Customers can reach your help.",
    open: () => "No help address or phone is given. Customers would not know whom to ask.",
    remedy: { content: "Enter help details", url: "/app/settings/store" },
  },
};

/** Describes one check, and what to do about it while it is not met. */
export function describeCheck({ code, isMet, count }: PreflightCheck): CheckWords {
  const { met, open, remedy } = WORDS[code];
  return isMet ? { text: met(count ?? 0), remedy: null } : { text: open(count ?? 0), remedy };
}
