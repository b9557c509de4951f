/** Module of an order-status extension that asks, validates, sends and reports: the shape of a patient form. */
export const FORM_SOURCE = `import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { useState } from "preact/hooks";
export default () => render(<App />, document.body);

function App() {
  const [name, setName] = useState("");
  const [state, setState] = useState("");
  const [who, setWho] = useState(["me"]);
  const [agreed, setAgreed] = useState(false);
  const [said, setSaid] = useState("");
  const send = async () => {
    const token = await shopify.sessionToken.get();
    const response = await fetch("https://app.example/api/echo", { method: "POST", headers: { Authorization: "Bearer " + token }, body: JSON.stringify({ name, state, who, agreed }) });
    setSaid(await response.text());
  };
  return <s-section heading={shopify.i18n.translate("greeting", { order: shopify.order.value.name })}>
    <s-form onSubmit={send}>
      <s-stack gap="base">
        <s-text-field label="Name" value={name} onInput={(event) => setName(event.currentTarget.value)} error={name === "x" ? "Too short" : undefined} />
        <s-select label="State" value={state} onChange={(event) => setState(event.currentTarget.value)}><s-option value="NSW">New South Wales</s-option><s-option value="VIC">Victoria</s-option></s-select>
        <s-choice-list label="Who" values={who} onChange={(event) => setWho(event.currentTarget.values)}><s-choice value="me">Me</s-choice><s-choice value="other">Another adult</s-choice></s-choice-list>
        <s-checkbox label="I agree" checked={agreed} onChange={(event) => setAgreed(event.currentTarget.checked)} />
        <s-button variant="primary" type="submit"><s-text>Send</s-text></s-button>
      </s-stack>
    </s-form>
    <s-button onClick={() => fetch("https://app.example/api/loud").then(() => setSaid("loud"), (error) => setSaid(error.message))}>Fetch</s-button>
    <s-button tone="loud" onClick={() => navigation.navigate("shopify:customer-account/profile")}>Profile</s-button>
    <s-link href="extension:page/results/7">Results</s-link>
    <s-text>{said}</s-text>
    <s-text>{shopify.authenticationState.value} {shopify.authenticatedAccount.customer.value?.id ?? "nobody"}</s-text>
    {shopify.authenticationState.value === "pre_authenticated" && <s-button onClick={() => shopify.requireLogin()}>Sign in to go on</s-button>}
  </s-section>;
}`;

/** Module of a full page with routes inside itself. */
export const PAGE_SOURCE = `import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
export default () => render(<App />, document.body);

function App() {
  const [url, setUrl] = useState(navigation.currentEntry.url);
  useEffect(() => {
    const changed = () => setUrl(navigation.currentEntry.url);
    navigation.addEventListener("currententrychange", changed);
    return () => navigation.removeEventListener("currententrychange", changed);
  }, []);
  return <s-page heading="Results"><s-section><s-text>At {url}</s-text>
    <s-button onClick={() => navigation.navigate("extension:/results/8")}>Next</s-button>
    <s-link href="extension:/">All</s-link></s-section></s-page>;
}`;
