/** Modules of extensions that use every element of their target once, as the drawings are checked with. */
const HEAD = `import "@shopify/ui-extensions/preact";
import { render } from "preact";
export default () => render(<Sink />, document.body);
`;

const COMMON = `
  <s-section heading="Text">
    <s-heading>Heading</s-heading>
    <s-paragraph color="subdued">A paragraph with <s-text type="strong" tone="success">strong text</s-text>, <s-link href="https://example.com/">a link</s-link> and <s-badge tone="critical">a badge</s-badge>.</s-paragraph>
    <s-unordered-list><s-list-item>One</s-list-item><s-list-item>Two</s-list-item></s-unordered-list>
    <s-ordered-list><s-list-item>First</s-list-item><s-list-item>Second</s-list-item></s-ordered-list>
    <s-stack direction="inline" gap="small"><s-chip>Chip</s-chip><s-clickable-chip removable accessibilityLabel="Remove filter">Filter</s-clickable-chip><s-icon type="check-circle" /><s-avatar initials="AB" alt="Ann Bell" /></s-stack>
    <s-divider />
  </s-section>
  <s-section heading="Layout">
    <s-query-container>
      <s-grid gridTemplateColumns="@container (inline-size > 400px) 1fr 1fr, 1fr" gap="base">
        <s-grid-item><s-box padding="base" border="base" borderRadius="base">Box</s-box></s-grid-item>
        <s-grid-item><s-clickable padding="base" border="base" borderRadius="base" href="https://example.com/">Clickable</s-clickable></s-grid-item>
      </s-grid>
    </s-query-container>
    <s-image src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt="A dot" inlineSize="auto" />
  </s-section>
  <s-section heading="Feedback">
    <s-banner heading="Careful" tone="warning" dismissible><s-paragraph>Something to know.</s-paragraph></s-banner>
    <s-spinner accessibilityLabel="Working" />
    <s-button interestFor="hint">Hover me</s-button><s-tooltip id="hint">Help</s-tooltip>
  </s-section>
  <s-section heading="Fields">
    <s-form>
      <s-stack gap="base">
        <s-text-field label="Text" value="a" required />
        <s-email-field label="Email" error="Enter a valid email" />
        <s-url-field label="URL" />
        <s-password-field label="Password" />
        <s-number-field label="Number" value="3" />
        <s-money-field label="Money" value="4" />
        <s-text-area label="Area" rows={2} />
        <s-date-field label="Date" value="2026-11-20" />
        <s-date-picker type="range" value="2026-11-20--2026-11-22" />
        <s-select label="Select" value="b"><s-option value="a">A</s-option><s-option value="b">B</s-option></s-select>
        <s-checkbox label="Checkbox" checked />
        <s-switch label="Switch" />
        <s-choice-list label="Choices" values={["one"]}><s-choice value="one">One</s-choice><s-choice value="two">Two</s-choice></s-choice-list>
        <s-drop-zone label="Files" />
        <s-button-group><s-button slot="primary-action" variant="primary" type="submit">Send</s-button><s-button slot="secondary-actions" tone="critical">Delete</s-button></s-button-group>
      </s-stack>
    </s-form>
  </s-section>
  <s-section heading="Overlays">
    <s-button commandFor="menu">Open menu</s-button><s-menu id="menu" accessibilityLabel="Actions"><s-button>Action</s-button></s-menu>
  </s-section>`;

export const CUSTOMER_SINK = `${HEAD}
function Sink() { return <>${COMMON}
  <s-section heading="Customer account">
    <s-announcement>News</s-announcement>
    <s-text><s-abbreviation title="New South Wales">NSW</s-abbreviation> <s-time dateTime="2026-11-20">today</s-time></s-text>
    <s-details><s-summary>More</s-summary><s-text>Hidden at first</s-text></s-details>
    <s-phone-field label="Phone" /><s-consent-phone-field label="Mobile" policy="sms-marketing" /><s-consent-checkbox label="Texts" policy="sms-marketing" />
    <s-press-button>Pressed or not</s-press-button>
    <s-progress value={3} max={5} accessibilityLabel="Three of five" />
    <s-qr-code content="https://example.com" /><s-map latitude={1} longitude={2} accessibilityLabel="Map of the centre"><s-map-marker latitude={1} longitude={2} /></s-map>
    <s-image-group totalItems={1}><s-image src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt="" /></s-image-group>
    <s-payment-icon type="visa" accessibilityLabel="Visa" /><s-product-thumbnail alt="Iron Studies" /><s-skeleton-paragraph content="Loading words" />
    <s-scroll-box maxBlockSize="40px"><s-text>Scrolls</s-text></s-scroll-box>
    <s-clipboard-item id="copy" text="copied" /><s-button commandFor="copy" command="--copy">Copy</s-button>
    <s-chat /><s-login-with-shop />
    <s-button commandFor="modal" command="--show">Open modal</s-button>
    <s-modal id="modal" heading="Sure?"><s-text>In the modal</s-text><s-button slot="primary-action" variant="primary" commandFor="modal" command="--hide">Yes</s-button></s-modal>
    <s-button commandFor="sheet" command="--show">Open sheet</s-button><s-sheet id="sheet" heading="Sheet"><s-text>In the sheet</s-text></s-sheet>
    <s-button commandFor="popover">Open popover</s-button><s-popover id="popover"><s-text>In the popover</s-text></s-popover>
  </s-section></>; }`;

export const ADMIN_SINK = `${HEAD}
function Sink() { return <s-admin-block heading="Kitchen sink">${COMMON}
  <s-section heading="Admin">
    <s-color-field label="Colour" value="#112233" /><s-color-picker value="#445566" />
    <s-search-field label="Search" /><s-thumbnail alt="Iron Studies" />
    <s-select label="Grouped"><s-option-group label="Group"><s-option value="x">X</s-option></s-option-group></s-select>
    <s-table paginate hasNextPage><s-table-header-row><s-table-header>Name</s-table-header><s-table-header format="currency">Price</s-table-header></s-table-header-row>
      <s-table-body><s-table-row><s-table-cell>Iron</s-table-cell><s-table-cell>$49</s-table-cell></s-table-row></s-table-body></s-table>
  </s-section></s-admin-block>; }`;
