import { describe, expect, it } from "vitest";
import { html, jsonScript, trusted } from "./html.ts";

describe("html", () => {
  it("escapes what is put in, in content and in attributes", () => {
    const evil = `"><script>alert('x')</script>&`;
    expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</p>',
    );
  });
  it("nests markup, joins lists and leaves absent values out", () => {
    const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}${null}${undefined}${false}${0}</ul>`.text).toBe(
      "<ul><li>a</li><li>&lt;b&gt;</li>0</ul>",
    );
  });
  it("passes trusted markup on", () => {
    expect(html`${trusted("<em>x</em>")}`.text).toBe("<em>x</em>");
  });
});

describe("jsonScript", () => {
  it("cannot be ended by the data", () => {
    const { text } = jsonScript("data", { value: "</script><script>alert(1)</script>" });
    expect(text.match(/<\/script>/g)).toHaveLength(1);
    const json = /<script[^>]*>(.*)<\/script>/.exec(text)?.[1] ?? "";
    expect(JSON.parse(json)).toEqual({ value: "</script><script>alert(1)</script>" });
  });
});
