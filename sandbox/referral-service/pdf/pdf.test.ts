import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type Client,
  getResult,
  type Harness,
  issuedReferral,
  patient,
  reach,
  startHarness,
} from "../testing/harness.ts";
import { referral } from "../wire/referral-wire.ts";
import { code128Widths } from "./barcode.ts";
import { positionOnBar } from "./range-bar.ts";
import { readPdf } from "./read-pdf.ts";
import { fontRuns } from "./typeface.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

async function textAt(address: string | null): Promise<string> {
  const response = await fetch(address ?? "");
  return (await readPdf(new Uint8Array(await response.arrayBuffer()))).join(" ");
}

const bench = async (client: Client, uuid: string, wish: Record<string, unknown>) => {
  const reply = await harness.console("POST", `/referrals/${uuid}/results`, wish);
  return getResult(client, referral.parse(reply.body).resultsUuid);
};

describe("referral form", () => {
  test("shows organisation, patient, tests, references and where to go", async () => {
    const issued = await issuedReferral(harness, {
      firstName: "Thảo",
      lastName: "Nguyễn",
      tests: ["full-blood-count", "lipid-studies"],
      referenceNumber: "PW-77",
    });
    const text = await textAt(issued.referralAttachment);
    for (const part of [
      "Harbour Health",
      "Pathology request: private",
      "NGUYỄN",
      "Thảo",
      "03 Feb 1990",
      "Female",
      "118 Harbour Street, Level 2, Sydney NSW 2000",
      "Full blood count",
      "Lipid studies",
      "fast for 10 to 12 hours",
      issued.reference,
      "PW-77",
      "collection centre",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("for Medicare shows practitioner, provider number, card and notes", async () => {
    const registration = {
      providerNumber: "2426621B",
      name: "Dr Alex Morgan",
      address: "12 Clinic Road",
    };
    await harness.console("POST", "/provider-numbers", { ...registration, signature: true });
    const reply = await harness.call("POST", "/v1/referrals", {
      body: {
        ...patient,
        medicareTests: ["iron-studies"],
        orderingPractitioner: registration,
        medicareCardNumber: "21234567013",
        clinicalNotes: "Tired since winter",
      },
    });
    const [created] = z.array(referral).parse(reply.body);
    const issued = await reach(harness, created?.uuid ?? "", "ISSUED");
    const text = await textAt(issued.referralAttachment);
    for (const part of [
      "Pathology request: Medicare",
      "Dr Alex Morgan",
      "2426621B",
      "2123 45670 1",
      "Tired since winter",
      "Practitioner's signature",
      "section 20A of the Health Insurance Act 1973",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("loses nothing of long notes, names and tests", async () => {
    const registration = {
      providerNumber: "2426621B",
      name: "Dr Alex Morgan",
      address: "12 Clinic Road",
    };
    await harness.console("POST", "/provider-numbers", { ...registration, signature: true });
    const words = Array.from({ length: 700 }, (_, index) => `word${index}`);
    const lastName = "Papadopoulos-Christodoulou";
    const reply = await harness.call("POST", "/v1/referrals", {
      body: {
        ...patient,
        lastName,
        medicareTests: ["tumour-markers"],
        orderingPractitioner: registration,
        medicareCardNumber: "2123456701",
        clinicalNotes: words.join(" ").slice(0, 5000),
      },
    });
    const [created] = z.array(referral).parse(reply.body);
    const issued = await reach(harness, created?.uuid ?? "", "ISSUED");
    const text = await textAt(issued.referralAttachment);
    expect(text).toContain(lastName.toUpperCase());
    expect(text).toContain("Tumour markers (CEA, CA 125, CA 19-9, CA 15-3, AFP)");
    expect(text).toContain("See the clinical notes on the last page");
    for (const word of words.slice(0, 600)) expect(text).toContain(word);
  });

  test("holds every test of the catalogue", async () => {
    const list = await harness.call("GET", "/v1/tests");
    const tests = z.array(z.object({ id: z.string() })).parse(list.body);
    const issued = await issuedReferral(harness, { tests: tests.map(({ id }) => id) });
    const text = await textAt(issued.referralAttachment);
    expect(text).toContain("C-13 urea breath test");
    expect(text).toContain("Page 2 of");
  });
});

describe("result report", () => {
  test("agrees with the result in every value, unit and flag", async () => {
    const { uuid } = await issuedReferral(harness, {
      tests: ["full-blood-count", "lipid-studies", "female-hormones", "urine-mcs"],
    });
    const result = await bench(harness, uuid, { abnormal: true, critical: true, seed: "pdf" });
    const text = await textAt(result.resultAttachment);
    expect(text).toContain("FINAL REPORT");
    const { total, abnormal, critical } = result.biomarkerSummary ?? {};
    expect(text).toContain(`${total} results`);
    expect(text).toContain(`${abnormal} out of range`);
    expect(text).toContain(`${critical} critical`);
    for (const entry of result.biomarkers) {
      const start = text.indexOf(` ${entry.name} ${entry.value}`);
      expect(start, entry.name).toBeGreaterThan(0);
      const row = text.slice(start + entry.name.length + entry.value.length + 2);
      expect(/^\s(H|L|HH|LL|A)\s/.test(`${row} `), entry.name).toBe(entry.isAbnormal);
      if (entry.unit !== "") expect(row.slice(0, 25)).toContain(entry.unit);
    }
    for (const part of ["High-risk target", "Luteal phase", "Sex hormones"]) {
      expect(text).toContain(part);
    }
  });

  test("says when more is to follow", async () => {
    const { uuid } = await issuedReferral(harness);
    const result = await bench(harness, uuid, { partial: true });
    expect(await textAt(result.resultAttachment)).toContain("PARTIAL REPORT");
  });
});

describe("parts", () => {
  test("a barcode has the modules of Code 128", () => {
    const widths = code128Widths("58271003");
    // Start, four pairs of digits, check and stop: 11 modules each, the stop 13.
    expect(widths.reduce((sum, width) => sum + width, 0)).toBe(6 * 11 + 13);
  });

  test("a bar keeps the order of values", () => {
    const values = [-50, 0, 3, 4, 5, 6, 7, 40, 4000];
    const places = values.map((value) => positionOnBar(value, 4, 6) ?? Number.NaN);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
    expect(Math.max(...places)).toBeLessThan(1);
    expect(positionOnBar(5, null, null)).toBeNull();
  });

  test("letters that the standard fonts lack are set in a font that has them", () => {
    expect(fontRuns("Müller", false)).toEqual([{ text: "Müller", font: "Helvetica" }]);
    const runs = fontRuns("Łukasz Ανδρέας", false);
    expect(runs.map((run) => run.text).join("")).toBe("Łukasz Ανδρέας");
    expect(new Set(runs.map((run) => run.font)).size).toBeGreaterThan(1);
    expect(fontRuns("漢", false)[0]?.text).toBe("?");
  });
});
