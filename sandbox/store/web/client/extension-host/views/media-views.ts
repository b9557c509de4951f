import { type Html, html } from "../../../html.ts";
import { TemplateView } from "./layout-views.ts";

/** A few signs stand for Shopify's hundreds of icons, which are not ours to copy. */
const SIGNS: [RegExp, string][] = [
  [/check|delivered|success/, "✓"],
  [/alert|warning|error/, "!"],
  [/info|question/, "i"],
  [/arrow-right|chevron-right/, "›"],
  [/arrow-left|chevron-left/, "‹"],
  [/up/, "⌃"],
  [/down/, "⌄"],
  [/x|delete|cancel/, "×"],
  [/plus/, "+"],
  [/minus/, "−"],
  [/external/, "↗"],
  [/calendar|clock/, "◷"],
  [/email/, "✉"],
  [/phone|mobile/, "☎"],
  [/note|file|order|receipt/, "▤"],
];

export class Icon extends TemplateView {
  css(): string {
    return ":host { display: inline-block } span { display: inline-block; min-inline-size: 1.1em; text-align: center; font-weight: 600 }";
  }
  markup(): Html {
    const type = this.host.readText("type");
    const sign = SIGNS.find(([pattern]) => pattern.test(type))?.[1] ?? "•";
    return html`<span aria-hidden="true" data-icon="${type}">${sign}</span>`;
  }
}

const SIZES: Record<string, string> = {
  "small-200": "24px",
  "small-100": "32px",
  small: "40px",
  base: "56px",
  large: "72px",
  "large-100": "88px",
  "large-200": "96px",
};

export class Image extends TemplateView {
  css(): string {
    const { host } = this;
    const ratio = host.readText("aspectRatio");
    return `:host { display: block } img { display: block; max-inline-size: 100%; ${host.readText("inlineSize") === "auto" ? "" : "inline-size: 100%;"}
      ${ratio && `aspect-ratio: ${ratio};`} object-fit: ${host.readText("objectFit") || "contain"}; border-radius: 8px }`;
  }
  markup(): Html {
    const { host } = this;
    return html`<img src="${host.readText("src")}" alt="${host.readText("alt")}" loading="lazy" />`;
  }
}

/** Thumbnail, product thumbnail and avatar: a picture, or a plain box with initials. */
export class Thumbnail extends TemplateView {
  css(): string {
    const size = SIZES[this.host.readText("size") || "base"] ?? "56px";
    return `:host { display: inline-block } .picture { inline-size: ${size}; block-size: ${size}; border-radius: 8px; border: 1px solid var(--line); object-fit: cover; display: grid; place-items: center; background: var(--surface-subdued) }`;
  }
  markup(): Html {
    const { host } = this;
    const alt = host.readText("alt");
    if (host.readText("src"))
      return html`<img class="picture" src="${host.readText("src")}" alt="${alt}" />`;
    return html`<span class="picture" ${alt ? html`role="img" aria-label="${alt}"` : html`aria-hidden="true"`}>${host.readText("initials")}</span>`;
  }
}

export class ImageGroup extends TemplateView {
  css(): string {
    return ":host { display: flex; flex-wrap: wrap; gap: 4px }";
  }
  markup(): Html {
    return html`<slot></slot>`;
  }
}

/** Things that need a service of Shopify's or somebody else's are named rather than imitated. */
abstract class NamedBox extends TemplateView {
  abstract words(): string;
  css(): string {
    return ":host { display: block } .box { border: 1px dashed var(--line-strong); border-radius: 8px; padding: 12px; color: var(--text-subdued); overflow-wrap: anywhere }";
  }
  markup(): Html {
    return html`<div class="box">${this.host.readText("accessibilityLabel") || this.words()}</div>`;
  }
}
export class QrCode extends NamedBox {
  words(): string {
    return `QR code: ${this.host.readText("content")}`;
  }
}
export class MapBox extends NamedBox {
  words(): string {
    return `Map of ${this.host.readText("latitude")}, ${this.host.readText("longitude")}`;
  }
}
export class PaymentIcon extends NamedBox {
  words(): string {
    return this.host.readText("type");
  }
}
export class Chat extends NamedBox {
  words(): string {
    return "Chat (not in the sandbox)";
  }
}
export class LoginWithShop extends NamedBox {
  words(): string {
    return "Sign in with Shop (not in the sandbox)";
  }
}
