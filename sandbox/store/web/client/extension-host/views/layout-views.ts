import { type Html, html } from "../../../html.ts";
import { boxRole, boxStyle, hostStyle } from "../box-style.ts";
import { space } from "../css-values.ts";
import { View } from "../sandbox-element.ts";

/** A view that is drawn as a whole at each change; for elements that hold no focus and no state. */
export abstract class TemplateView extends View {
  abstract css(): string;
  abstract markup(): Html;

  update(): void {
    this.root.innerHTML = html`<style></style>${this.markup()}`.text;
    const style = this.root.querySelector("style");
    if (style) style.textContent = this.css();
  }
}

abstract class BoxView extends TemplateView {
  extraCss(): string {
    return "";
  }
  css(): string {
    return `${hostStyle(this.host, "block")} ${boxStyle(this.host)} ${this.extraCss()}`;
  }
  markup(): Html {
    const { role, label } = boxRole(this.host);
    const hidden = this.host.readText("accessibilityVisibility");
    return html`<div
      class="box${hidden === "exclusive" && " visually-hidden"}"
      ${role && html`role="${role}"`} ${label && html`aria-label="${label}"`}
      ${hidden === "hidden" && html`aria-hidden="true"`}
    ><slot></slot></div>`;
  }
}

export class Box extends BoxView {}

export class ScrollBox extends BoxView {
  override extraCss(): string {
    return ".box { overflow: auto }";
  }
}

export class Stack extends BoxView {
  override extraCss(): string {
    const { host } = this;
    const style = boxStyle(host);
    style.add("flex-direction", host.readText("direction") || "block", (value) =>
      value === "inline" ? "row" : "column",
    );
    style.add("align-items", host.readText("alignItems"));
    style.add("align-content", host.readText("alignContent"));
    style.add("justify-content", host.readText("justifyContent"));
    style.add("gap", host.readText("gap"), space);
    style.add("row-gap", host.readText("rowGap"), space);
    style.add("column-gap", host.readText("columnGap"), space);
    return `.box { display: flex; flex-wrap: wrap } ${style}
      .box { ${host.readText("direction") === "inline" ? "" : "flex-wrap: nowrap;"} }
      ::slotted(*) { max-inline-size: 100% }`;
  }
}

export class Grid extends BoxView {
  override extraCss(): string {
    const { host } = this;
    const style = boxStyle(host);
    style.add("grid-template-columns", host.readText("gridTemplateColumns"));
    style.add("grid-template-rows", host.readText("gridTemplateRows"));
    for (const [name, property] of [
      ["alignItems", "align-items"],
      ["alignContent", "align-content"],
      ["justifyItems", "justify-items"],
      ["justifyContent", "justify-content"],
      ["placeItems", "place-items"],
      ["placeContent", "place-content"],
    ] as const) {
      style.add(property, host.readText(name));
    }
    style.add("gap", host.readText("gap"), space);
    style.add("row-gap", host.readText("rowGap"), space);
    style.add("column-gap", host.readText("columnGap"), space);
    return `.box { display: grid } ${style} ::slotted(*) { min-inline-size: 0 }`;
  }
}

export class GridItem extends BoxView {
  override extraCss(): string {
    const { host } = this;
    const column = host.readText("gridColumn");
    const row = host.readText("gridRow");
    return `:host { ${column && `grid-column: ${column};`} ${row && `grid-row: ${row};`} }`;
  }
}

export class QueryContainer extends TemplateView {
  css(): string {
    const name = this.host.readText("containerName");
    return `:host { display: block; container-type: inline-size; ${name && `container-name: ${name}`} }`;
  }
  markup(): Html {
    return html`<slot></slot>`;
  }
}

export class Divider extends TemplateView {
  css(): string {
    const block = this.host.readText("direction") === "block";
    return `:host { display: block; align-self: stretch } hr { border: 0; margin: 0; background: var(--line);
      ${block ? "inline-size: 1px; block-size: 100%" : "block-size: 1px"} }`;
  }
  markup(): Html {
    return html`<hr />`;
  }
}

/** Level of the next heading inside an element: one deeper than the sections around it. */
export function headingLevel(host: Element): number {
  let level = 2;
  for (let up = host.parentElement; up; up = up.parentElement) {
    if (up.matches("s-section, s-admin-block, s-announcement")) level += 1;
  }
  return Math.min(level, 6);
}

export function heading(host: Element, text: string): Html | null {
  if (!text) return null;
  const level = headingLevel(host);
  return html`<div class="heading" role="heading" aria-level="${level}">${text}</div>`;
}

export class Section extends TemplateView {
  css(): string {
    const nested = this.host.parentElement?.closest("s-section") !== null;
    const bare = this.host.readText("padding") === "none" || nested;
    return `:host { display: block } section { display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr) }
      ${bare ? "" : "section { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 20px }"}
      .heading { font-weight: 600; font-size: ${nested ? "1rem" : "1.125rem"} }`;
  }
  markup(): Html {
    const label = this.host.readText("accessibilityLabel") || this.host.readText("heading");
    return html`<section ${label && html`aria-label="${label}"`}>
      ${heading(this.host, this.host.readText("heading"))}<slot></slot>
    </section>`;
  }
}

export class Page extends TemplateView {
  css(): string {
    return `:host { display: block } .page { max-inline-size: ${this.host.readText("inlineSize") === "large" ? "80rem" : "62rem"}; display: grid; gap: 20px; grid-template-columns: minmax(0, 1fr) }
      header { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; justify-content: space-between }
      h1 { font-size: 1.5rem; font-weight: 600; margin: 0 } p { margin: 4px 0 0; color: var(--text-subdued) }
      .actions { display: flex; flex-wrap: wrap; gap: 8px }`;
  }
  markup(): Html {
    const subheading = this.host.readText("subheading");
    return html`<div class="page">
      <slot name="breadcrumb-actions"></slot>
      <header>
        <div><h1>${this.host.readText("heading")}</h1>${subheading && html`<p>${subheading}</p>`}</div>
        <div class="actions"><slot name="secondary-actions"></slot><slot name="primary-action"></slot></div>
      </header>
      <slot></slot>
    </div>`;
  }
}

/** The admin's card around a block extension. */
export class AdminBlock extends TemplateView {
  css(): string {
    return `:host { display: block } section { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 16px; display: grid; gap: 12px }
      .heading { font-weight: 600 }`;
  }
  markup(): Html {
    const title = this.host.readText("heading");
    return html`<section ${title && html`aria-label="${title}"`}>
      ${title && html`<div class="heading" role="heading" aria-level="2">${title}</div>`}<slot></slot>
    </section>`;
  }
}

/** Content of an action: its heading is the dialog's, its buttons stand at the end. */
export class Action extends TemplateView {
  css(): string {
    return ":host { display: grid; gap: 16px } .heading { font-weight: 600; font-size: 1.125rem } .actions { display: flex; gap: 8px; justify-content: flex-end }";
  }
  markup(): Html {
    return html`${heading(this.host, this.host.readText("heading"))}<slot></slot>
      <div class="actions"><slot name="secondary-action"></slot><slot name="secondary-actions"></slot><slot name="primary-action"></slot></div>`;
  }
}
