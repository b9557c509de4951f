import { dateFormat, zoneNameAt } from "../../../platform/date-formats.ts";
import { countOf } from "../../kernel/words.ts";
import { presentAlert } from "../../referrals/clinical-texts.ts";
import type { CustomerHelp } from "../../shops/customer-help.ts";
import { fhirBundle } from "../fhir-bundle.ts";
import type { ResultView } from "../open-result.ts";
import { valueTable } from "./value-table.ts";

/** All that a customer or patient takes with them, but for the PDFs. */
export interface ExportContents {
  help: CustomerHelp;
  takenAt: Date;
  results: ResultView[];
  /** Details, consents and accesses of each test. */
  tests: object[];
  /** The people whose details a customer keeps for their next tests. */
  savedPatients: object[];
  leftOut: LeftOut;
}

/** Whether something is there that an export does not have. */
export interface LeftOut {
  /** A form or a released result that the link which the reader came by does not open. */
  byLink: boolean;
  /** Results of a test whose owner hid them. */
  hidden: boolean;
  /** Tests and saved details that a damaged key hides, in words. */
  unread: string[];
}

/** The files of an export that are made from what is stored: for spreadsheets and for other programs. */
export const exportFiles = (contents: ExportContents): { name: string; text: string }[] => [
  { name: "values.csv", text: valueTable(contents.results) },
  { name: "bundle.json", text: JSON.stringify(fhirBundle(contents.results), null, 2) },
  { name: "details.json", text: detailsOf(contents) },
];

const detailsOf = ({ tests, savedPatients }: ExportContents): string =>
  JSON.stringify({ tests, savedPatients }, null, 2);

/** For people: what is in an export, and the names of the PDFs that would be, were they not lost. */
export function readme(
  { help, takenAt, results, tests, leftOut }: ExportContents,
  { pdfs, missing }: { pdfs: number; missing: readonly string[] },
): string {
  const contact = [help.email, help.phone, help.hours].filter(Boolean).join(", ");
  const { timeZone } = help;
  const moment = takenAt.toLocaleString("en-AU", {
    ...{ dateStyle: "long", timeStyle: "short", timeZone },
  });
  const takenOn = `${moment} ${zoneNameAt(takenAt, timeZone)}`;
  const alerts = results.flatMap(alertLines);
  const contactShop = `${help.shopName}${contact ? `: ${contact}` : "."}`;
  return [
    `Your data at ${help.shopName}, taken on ${takenOn}`,
    "",
    "This is confidential health information. Keep it somewhere private.",
    "",
    ...alerts,
    `${countOf(tests.length, "test")}, ${countOf(results.length, "released result")}, ${countOf(pdfs, "PDF")}.`,
    "",
    ...(leftOut.unread.length > 0 ? unreadParts(leftOut.unread, contactShop) : []),
    ...(missing.length > 0 ? missingPdfs(missing, contactShop) : []),
    "forms/        referral forms that can be used (PDF)",
    "reports/      result reports (PDF)",
    "values.csv    every value of every result, for a spreadsheet",
    "bundle.json   the same as an HL7 FHIR R4 Bundle, for a doctor's or a health app's software",
    "details.json  the details that were given or saved, what was agreed to and when, and who opened what",
    "",
    ...(leftOut.byLink ? [OTHER_LINK, ""] : []),
    ...(leftOut.hidden ? [HIDDEN, ""] : []),
    "Results that are not released yet are not here. The laboratory and the pathology service keep records of their own.",
    // Beside what needs a doctor nothing is said that could calm.
    ...(alerts.length > 0
      ? []
      : ["Discuss the results with your doctor, who knows your health history."]),
    "",
    `Questions? Contact ${contactShop}`,
    "",
  ].join("\r\n");
}

/** The words that a patient must read first of a result, as its page says them; none of most. */
function alertLines({ alert, contact, patient, title, reportedOn }: ResultView): string[] {
  const shown = presentAlert(alert, contact);
  if (!shown) return [];
  const day = dateFormat("en-AU", { dateStyle: "long", timeZone: "UTC" });
  const on = reportedOn && `reported on ${day.format(new Date(reportedOn))}`;
  return [
    shown.heading,
    [patient?.name, title, on].filter(Boolean).join(", "),
    shown.text,
    ...shown.actions.map(({ label }) => label),
    "",
  ];
}

const OTHER_LINK =
  "Forms or results are missing here, because the link that was used does not open them. Use the link in our email about them to download those too.";
const HIDDEN =
  "Results that were hidden are not here. Show them again on your page, then download everything again.";

const missingPdfs = (missing: readonly string[], contactShop: string): string[] => [
  "Missing from this download:",
  ...missing,
  "We can't find what is named above in our storage. The pathology service was asked for it again.",
  "Download everything again tomorrow.",
  `If it is still missing then, contact ${contactShop}`,
  "",
];

const unreadParts = (unread: readonly string[], contactShop: string): string[] => [
  "We can't read these at the moment:",
  ...unread,
  "They are stored, but a fault in our storage keeps us from reading them. There may be results among them.",
  `Ask when the fault is mended, and then download everything again. Contact ${contactShop}`,
  "",
];
