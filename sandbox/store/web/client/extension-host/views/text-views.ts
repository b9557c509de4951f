import { type Html, html } from "../../../html.ts";
import { hostStyle } from "../box-style.ts";
import { headingLevel, TemplateView } from "./layout-views.ts";

const TONES: Record<string, string> = {
  info: "var(--info)",
  success: "var(--success)",
  warning: "var(--warning)",
  caution: "var(--warning)",
  critical: "var(--critical)",
};

abstract class TextView extends TemplateView {
  /** Colour and visibility that all text elements share, for `.text`. */
  protected textCss(): string {
    const { host } = this;
    const colour =
      TONES[host.readText("tone")] ??
      (host.readText("color") === "subdued" ? "var(--text-subdued)" : "inherit");
    const numeric = host.readText("fontVariantNumeric");
    return `.text { color: ${colour}; ${numeric && `font-variant-numeric: ${numeric};`} text-align: ${host.readText("textAlign") || "inherit"} }`;
  }
  protected visibility(): Html | null {
    return this.host.readText("accessibilityVisibility") === "hidden"
      ? html`aria-hidden="true"`
      : null;
  }
  protected get exclusive(): string {
    return this.host.readText("accessibilityVisibility") === "exclusive" ? " visually-hidden" : "";
  }
}

const TEXT_TAGS: Record<string, string> = {
  strong: "strong",
  address: "address",
  redundant: "s",
  mark: "mark",
  emphasis: "em",
  offset: "i",
  small: "small",
};

export class Text extends TextView {
  css(): string {
    return `${hostStyle(this.host, "inline")} ${this.textCss()} strong { font-weight: 600 } small { font-size: .875em } address { font-style: normal; display: inline }`;
  }
  markup(): Html {
    const tag = TEXT_TAGS[this.host.readText("type")] ?? "span";
    const content = html`class="text${this.exclusive}" ${this.visibility()}><slot></slot></`;
    return html`<${tag} ${content}${tag}>`;
  }
}

export class Paragraph extends TextView {
  css(): string {
    const lines = this.host.readText("lineClamp");
    return `:host { display: block } p { margin: 0; ${this.host.readText("type") === "small" ? "font-size: .875em" : ""} } ${this.textCss()}
      ${lines ? `p { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: ${lines}; overflow: hidden }` : ""}`;
  }
  markup(): Html {
    return html`<p class="text${this.exclusive}" ${this.visibility()}><slot></slot></p>`;
  }
}

export class Heading extends TextView {
  css(): string {
    return `:host { display: block } .text { font-weight: 600; font-size: ${headingLevel(this.host) <= 2 ? "1.125rem" : "1rem"}; line-height: 1.3 }`;
  }
  markup(): Html {
    const presentation = this.host.readText("accessibilityRole") === "presentation";
    return html`<div class="text${this.exclusive}" ${this.visibility()}
      ${!presentation && html`role="heading" aria-level="${headingLevel(this.host)}"`}><slot></slot></div>`;
  }
}

export class Abbreviation extends TemplateView {
  css(): string {
    return ":host { display: inline }";
  }
  markup(): Html {
    return html`<abbr title="${this.host.readText("title")}"><slot></slot></abbr>`;
  }
}

export class Time extends TemplateView {
  css(): string {
    return ":host { display: inline }";
  }
  markup(): Html {
    return html`<time datetime="${this.host.readText("dateTime")}"><slot></slot></time>`;
  }
}

const BADGES: Record<string, string> = {
  info: "#dcebfa;color:#0b3d73",
  success: "#d9f2df;color:#0c4a20",
  caution: "#fdf3c8;color:#524300",
  warning: "#ffe7cc;color:#5c3200",
  critical: "#fde0e0;color:#7d0f17",
};

export class Badge extends TemplateView {
  css(): string {
    const look = BADGES[this.host.readText("tone")] ?? "var(--surface-strong);color:var(--text)";
    return `:host { display: inline-block; inline-size: fit-content } span { display: inline-block; padding: 2px 10px; border-radius: 999px; font-size: .8125rem; font-weight: 500; background: ${look} }`;
  }
  markup(): Html {
    return html`<span><slot></slot></span>`;
  }
}

export class Chip extends TemplateView {
  css(): string {
    return ":host { display: inline-block; inline-size: fit-content } span { display: inline-flex; gap: 4px; padding: 4px 10px; border-radius: 8px; border: 1px solid var(--line); background: var(--surface-subdued) }";
  }
  markup(): Html {
    const label = this.host.readText("accessibilityLabel");
    return html`<span ${label && html`role="group" aria-label="${label}"`}><slot name="graphic"></slot><slot></slot></span>`;
  }
}

export class UnorderedList extends TemplateView {
  css(): string {
    return ":host { display: block; padding-inline-start: 1.25em }";
  }
  markup(): Html {
    this.host.setAttribute("role", "list");
    return html`<slot></slot>`;
  }
}

export class OrderedList extends UnorderedList {
  override css(): string {
    return ":host { display: block; padding-inline-start: 1.5em; counter-reset: s-item } ::slotted(s-list-item) { list-style: decimal }";
  }
}

export class ListItem extends TemplateView {
  css(): string {
    const ordered = this.host.parentElement?.localName === "s-ordered-list";
    return `:host { display: list-item; list-style: ${ordered ? "decimal" : "disc"}; margin-block: 2px }`;
  }
  markup(): Html {
    this.host.setAttribute("role", "listitem");
    return html`<slot></slot>`;
  }
}
