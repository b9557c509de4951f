import { afterAll, beforeAll, expect, test } from "vitest";
import { getReferral, type Harness, issuedReferral, startHarness } from "../testing/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

/** A browser as far as forms need one: it keeps the cookie and follows redirects by hand. */
function browser() {
  let cookie = "";
  const open = async (path: string, fields?: Record<string, string>, origin = harness.baseUrl) => {
    const response = await fetch(harness.baseUrl + path, {
      redirect: "manual",
      headers: { cookie, ...(fields && { origin }) },
      ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
    });
    const set = response.headers.get("set-cookie");
    if (set !== null) cookie = set.split(";")[0] ?? "";
    const text = await response.text();
    return { status: response.status, text, location: response.headers.get("location"), set };
  };
  return { open };
}

const asOwner = async () => {
  const owner = browser();
  await owner.open("/sign-in", { token: harness.service.seed.consoleToken });
  return owner;
};

test("without a session every page leads to sign-in", async () => {
  for (const path of [
    "/",
    "/profile",
    "/api-keys",
    "/webhook",
    "/referrals",
    "/faults",
    "/clock",
  ]) {
    expect(await browser().open(path)).toMatchObject({ status: 303, location: "/sign-in" });
  }
  const form = await browser().open("/organisation", { billing: "none" });
  expect(form).toMatchObject({ status: 303, location: "/sign-in" });
});

test("a person gets from sign-up to an API key that works", async () => {
  const person = browser();
  const login = { email: "page@example.com", password: "long enough" };
  const signedUp = await person.open("/sign-up", login);
  expect(signedUp).toMatchObject({ status: 303, location: "/" });
  expect(signedUp.set).toMatch(/HttpOnly; SameSite=Strict/);
  const early = await person.open("/found", { name: "Too early" });
  expect(early.status).toBe(400);
  expect(early.text).toContain("Verify the profile before creating an organisation");
  await person.open("/profile", { firstName: "Sam", lastName: "Lee", practitionerType: "Other" });
  await person.open("/profile/verify", {});
  expect((await person.open("/found", { name: "Reef & Clinic" })).location).toBe("/?done=created");
  expect((await person.open("/?done=created")).text).toContain("Reef &amp; Clinic");
  expect((await person.open("/api-keys", { integration: "api" })).text).toContain(
    "needs a valid billing method",
  );
  await person.open("/organisation", { name: "Reef", billing: "valid" });
  const page = (await person.open("/api-keys", { integration: "api" })).text;
  const [, id = ""] = /client_id: ([\w-]+)/.exec(page) ?? [];
  const [, secret = ""] = /client_secret: ([\w-]+)/.exec(page) ?? [];
  const client = await harness.clientFor(id, secret);
  expect((await client.call("GET", "/v1/tests")).status).toBe(200);
  expect((await person.open("/api-keys")).text).not.toContain(secret);
  await person.open("/sign-out", {});
  expect((await person.open("/")).location).toBe("/sign-in");
});

test("wrong passwords and tokens are told, not entered", async () => {
  const login = { email: "nobody@example.com", password: "x" };
  expect(await browser().open("/sign-in", login)).toMatchObject({ status: 400, set: null });
  expect(await browser().open("/sign-in", { token: "guess" })).toMatchObject({
    status: 400,
    set: null,
  });
});

test("the lab bench, states and review work from the referral's page", async () => {
  const owner = await asOwner();
  const { uuid } = await issuedReferral(harness, { firstName: "<script>alert(1)</script>" });
  const shown = await owner.open(`/referrals/${uuid}`);
  expect(shown.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(shown.text).not.toContain("<script>");
  await owner.open(`/referrals/${uuid}/results`, { partial: "yes", abnormal: "yes", seed: "1" });
  expect((await getReferral(harness, uuid)).status).toBe("PARTIAL_RESULTS");
  await owner.open(`/referrals/${uuid}/status`, { status: "REFUNDED" });
  expect((await getReferral(harness, uuid)).status).toBe("REFUNDED");
  expect((await owner.open(`/referrals/${uuid}/status`, { status: "LOST" })).status).toBe(400);
  expect((await owner.open("/referrals")).text).toContain(uuid);
  expect((await owner.open("/referrals/none")).status).toBe(404);
});

test("every page opens, with one heading and a labelled field for every input", async () => {
  const owner = await asOwner();
  await harness.console("PUT", "/webhook", { url: "http://127.0.0.1:1/" });
  await issuedReferral(harness);
  for (const path of [
    "/",
    "/profile",
    "/organisation",
    "/api-keys",
    "/webhook",
    "/provider-numbers",
    "/referrals",
    "/mails",
    "/faults",
    "/clock",
  ]) {
    const { status, text } = await owner.open(path);
    expect(status, path).toBe(200);
    expect(text.match(/<h1>/g), path).toHaveLength(1);
    for (const [, id] of text.matchAll(/<(?:input|select)[^>]* id="([^"]+)"/g)) {
      expect(text, `${path} ${id}`).toContain(`<label for="${id}">`);
    }
  }
});

test("faults and clock can be set from their pages", async () => {
  const owner = await asOwner();
  await owner.open("/faults", { errorRate: "1", limit: "", windowMs: "", attachmentStatus: "" });
  expect((await harness.call("GET", "/v1/tests")).status).toBe(500);
  await owner.open("/faults/off", {});
  expect((await harness.call("GET", "/v1/tests")).status).toBe(200);
  expect((await owner.open("/faults", { errorRate: "7" })).status).toBe(400);
  const before = Date.now();
  await owner.open("/clock", { advanceSeconds: "100" });
  const { body } = await harness.console("GET", "/clock");
  expect(JSON.stringify(body)).toMatch(/now/);
  expect((await getReferralTime()) - before).toBeGreaterThanOrEqual(100_000);
});

async function getReferralTime(): Promise<number> {
  return Date.parse((await issuedReferral(harness)).createdAt);
}

test("a form that another site's page sends is refused", async () => {
  const owner = await asOwner();
  const reply = await owner.open("/organisation", { billing: "none" }, "https://evil.example");
  expect(reply.status).toBe(403);
  const { body } = await harness.console("GET", "/organisation");
  expect(body).toMatchObject({ billing: "valid" });
});
