import type { Practitioner } from "../../../referrals/referral-service.ts";
import { type Column, KIND_WORDS, LIST_SEPARATOR } from "../../columns.ts";
import { MAX_NOTES_CHARS, MAX_PREPARATION_CHARS } from "../../mapping.ts";
import type { FileRow } from "../../read-file.ts";
import type { MappingChange } from "../../run.ts";
import type { LookUp } from "./look-up.ts";

export interface RowFault {
  field: Column;
  /** The fault, and what to do about it. */
  message: string;
}

export type RowReading =
  | { kind: "change"; change: MappingChange }
  /** The line says nothing about the variant: it stays as it is. */
  | { kind: "silent" }
  | { kind: "fault"; fault: RowFault };

const KINDS: Record<string, MappingChange["kind"]> = {
  [KIND_WORDS.order]: "order",
  order: "order",
  [KIND_WORDS.ignored]: "ignored",
  not_a_test: "ignored",
  ignored: "ignored",
  [KIND_WORDS.unmapped]: "unmapped",
};

/** Reads what one line says about its variant. */
export function readRow(
  { cells, columns }: FileRow,
  known: { test: LookUp; bundle: LookUp; practitioners: Map<string, Practitioner> },
): RowReading {
  const fault = (field: Column, message: string): RowReading => ({
    kind: "fault",
    fault: { field, message },
  });
  const named = cells.bundle || cells.tests || cells.medicare_tests;
  const word = cells.kind.toLowerCase();
  const notes = cells.clinical_notes;
  if (notes && !cells.medicare_tests)
    return fault(
      "clinical_notes",
      "Clinical notes go with Medicare tests. Name them in medicare_tests, or empty the cell.",
    );
  if (notes.length > MAX_NOTES_CHARS)
    return fault(
      "clinical_notes",
      `The notes have ${number.format(notes.length)} characters; at most ${number.format(MAX_NOTES_CHARS)} go with a form. Shorten them.`,
    );
  const { preparation } = cells;
  if (preparation.length > MAX_PREPARATION_CHARS)
    return fault(
      "preparation",
      `The preparation has ${number.format(preparation.length)} characters; patients read at most ${number.format(MAX_PREPARATION_CHARS)}. Shorten it.`,
    );
  if (preparation && !named)
    return fault(
      "preparation",
      "Preparation goes with a test. Name a bundle or tests, or empty the cell.",
    );
  if (!word && !named) return { kind: "silent" };
  const kind = word ? (Object.hasOwn(KINDS, word) ? KINDS[word] : undefined) : "order";
  if (!kind)
    return fault("kind", `“${cells.kind}” is no kind. Write test, not a test, or unmapped.`);
  if (kind !== "order") {
    if (!named) return { kind: "change", change: { kind } };
    return fault(
      "kind",
      `The line says “${cells.kind}” and names tests as well. Empty one of the two.`,
    );
  }
  const bundle = cells.bundle ? findNamed("bundle", cells.bundle, known.bundle) : { id: null };
  if ("message" in bundle) return fault("bundle", bundle.message);
  const tests = listOf(cells.tests, known.test);
  if ("message" in tests) return fault("tests", tests.message);
  const medicare = listOf(cells.medicare_tests, known.test);
  if ("message" in medicare) return fault("medicare_tests", medicare.message);
  if (!bundle.id && tests.ids.length === 0 && medicare.ids.length === 0)
    return fault("kind", "The line says it is a test, but not which. Name a bundle or tests.");
  const providerNumber = cells.practitioner_provider_number.replace(/\s/g, "").toUpperCase();
  const practitioner = known.practitioners.get(providerNumber) ?? null;
  if (medicare.ids.length > 0 && !practitioner)
    return fault(
      "practitioner_provider_number",
      providerNumber
        ? `No practitioner has the provider number ${providerNumber}. Add them under Practitioners first.`
        : "Medicare tests need the provider number of a practitioner.",
    );
  const items = {
    bundleId: bundle.id,
    tests: tests.ids,
    medicareTests: medicare.ids,
    practitioner: medicare.ids.length > 0 ? practitioner : null,
  };
  const textOf = (column: "clinical_notes" | "preparation") =>
    columns.has(column) ? cells[column] || null : undefined;
  const texts = {
    clinicalNotes: textOf("clinical_notes"),
    preparation: textOf("preparation"),
  };
  return { kind: "change", change: { kind: "order", items, ...texts } };
}

const number = new Intl.NumberFormat("en-AU");

function listOf(text: string, lookUp: LookUp): { ids: string[] } | { message: string } {
  const ids = new Set<string>();
  for (const name of text.split(LIST_SEPARATOR).map((part) => part.trim())) {
    if (!name) continue;
    const found = findNamed("test", name, lookUp);
    if ("message" in found) return found;
    ids.add(found.id);
  }
  return { ids: [...ids] };
}

function findNamed(
  what: "bundle" | "test",
  text: string,
  lookUp: LookUp,
): { id: string } | { message: string } {
  const found = lookUp(text);
  if (found.kind === "found") return { id: found.id };
  if (found.kind === "several")
    return {
      message: `Several ${what}s of the catalogue are called “${text}”. Write the id instead.`,
    };
  const separator = what === "test" ? ` Put ${LIST_SEPARATOR} between tests.` : "";
  return {
    message: `No ${what} of the catalogue is called “${text}”. Check the spelling, or write its id.${separator}`,
  };
}
