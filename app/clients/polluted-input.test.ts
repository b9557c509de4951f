import { afterEach, expect, test } from "vitest";
import { readMappingFile } from "../modules/catalogue/read-file.ts";
import { readPatientDetails } from "../modules/patients/patient-details.ts";
import { readSelection } from "../modules/reports/selection-text.ts";
import { readEvent } from "./referral-service/events/read-event.ts";

/** Bodies that would give every object of the process a field. */
const ATTACKS = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"data":{"__proto__":{"polluted":true},"referral":{"__proto__":{"polluted":true}}}}',
  '{"patient":{"__proto__":{"polluted":true}},"prototype":{"polluted":true}}',
];
const rules = { minimumAge: 18, needsMedicare: true, today: new Date() };

const READERS: [string, (text: string) => unknown][] = [
  ["a patient's details", (text) => readPatientDetails(JSON.parse(text), rules)],
  ["an event of the service", (text) => readEvent(Buffer.from(text), {})],
  [
    "a file of mappings",
    () =>
      readMappingFile(
        Buffer.from("sku,__proto__,constructor.prototype.polluted\nA,polluted,true\n"),
      ),
  ],
  [
    "a saved view",
    () => readSelection("__proto__[polluted]=true&constructor.prototype.polluted=1"),
  ],
];

afterEach(() => {
  Reflect.deleteProperty(Object.prototype, "polluted");
});

test.each(READERS)("%s gives no object a field that it was not given", (_, read) => {
  const own = Object.getOwnPropertyNames(Object.prototype);
  for (const text of ATTACKS) {
    // Whether it is refused is another test's matter.
    try {
      read(text);
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
    expect({}).not.toHaveProperty("polluted");
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(own);
  }
});
