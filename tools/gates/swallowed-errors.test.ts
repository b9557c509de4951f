import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findSwallowedErrors } from "./swallowed-errors.ts";

let checkout = "";
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

/** The faults of a checkout that holds one file. */
function faultsOf(text: string, path = "app/queue/one.ts"): string[] {
  checkout = mkdtempSync(join(tmpdir(), "pathway-errors-"));
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
  return findSwallowedErrors(checkout);
}

test.each([
  "work().catch(() => {});",
  "work().catch((error) => {});",
  "work().catch(() => undefined);",
  "work().catch(() => {\n  // Whatever.\n});",
  "work().then(done, () => {});",
  "try { work(); } catch {}",
  "try { work(); } catch (error) {\n  // Whatever.\n}",
])("refuses a handler that does nothing: %s", (text) => {
  expect(faultsOf(text)).toEqual(["app/queue/one.ts:1: swallows an error"]);
});

test.each(["const a = b().catch(() => null);", "try { work(); } catch { give(null); }"])(
  "refuses an answer that ignores the error, unless a comment says why: %s",
  (text) => {
    expect(faultsOf(text)).toEqual([
      "app/queue/one.ts:1: answers without looking at the error, and no comment says why",
    ]);
    expect(faultsOf(`// What is no JSON is refused below.\n${text}`)).toEqual([]);
  },
);

test("refuses a promise behind void on the server, unless a comment says why", () => {
  expect(faultsOf("void work();")).toEqual([
    "app/queue/one.ts:1: lets a promise go, and no comment says why that cannot fail",
  ]);
  expect(faultsOf("// Never rejects.\nvoid work();")).toEqual([]);
  expect(faultsOf("const go = () => void work();", "app/routes/app/a.tsx")).toEqual([]);
});

test("lets handlers be that look at the error, and tests", () => {
  expect(
    faultsOf("work().catch((error) => log(error)); work().catch(tolerate(logger, 'a'));"),
  ).toEqual([]);
  expect(faultsOf("try { work(); } catch (error) { throw new Other(error); }")).toEqual([]);
  expect(faultsOf("work().catch(() => {});", "app/queue/one.test.ts")).toEqual([]);
});

test("finds nothing in the app", () => {
  expect(findSwallowedErrors()).toEqual([]);
});
