import { SandboxElement, View } from "../sandbox-element.ts";

/** The parts of `s-table` are the page's own elements, so they take the roles of a table themselves. */
abstract class TablePart extends View {
  abstract readonly role: string;
  abstract css(): string;

  update(): void {
    this.host.setAttribute("role", this.role);
    this.root.innerHTML = `<style>${this.css()}</style><slot></slot>`;
  }
}

export class TableBody extends TablePart {
  override readonly role = "rowgroup";
  css(): string {
    return ":host { display: table-row-group }";
  }
}
export class TableHeaderRow extends TablePart {
  override readonly role = "row";
  css(): string {
    return ":host { display: table-row; background: var(--surface-subdued) }";
  }
}
export class TableHeader extends TablePart {
  override readonly role = "columnheader";
  css(): string {
    const number = ["numeric", "currency"].includes(this.host.readText("format"));
    return `:host { display: table-cell; padding: 8px 12px; font-weight: 600; text-align: ${number ? "end" : "start"}; border-block-end: 1px solid var(--line) }`;
  }
}
export class TableRow extends TablePart {
  override readonly role = "row";
  css(): string {
    return `:host { display: table-row } ${this.host.readText("clickDelegate") ? ":host { cursor: pointer } :host(:hover) { background: var(--surface-subdued) }" : ""}`;
  }
  override update(): void {
    super.update();
    this.host.onclick = (event) => {
      const id = this.host.readText("clickDelegate");
      const delegate = id ? this.host.querySelector<HTMLElement>(`#${CSS.escape(id)}`) : null;
      if (!delegate || event.composedPath().includes(delegate)) return;
      delegate.shadowRoot?.querySelector<HTMLElement>("a, button, input")?.click();
    };
  }
}
export class TableCell extends TablePart {
  override readonly role = "cell";
  css(): string {
    return `:host { display: table-cell; padding: 8px 12px; vertical-align: top; text-align: ${this.#isNumber() ? "end" : "start"}; border-block-end: 1px solid var(--line) }`;
  }
  /** Whether the header above says that its column holds numbers. */
  #isNumber(): boolean {
    const { host } = this;
    const place = [...(host.parentElement?.children ?? [])].indexOf(host);
    const header = host.closest("s-table")?.querySelectorAll("s-table-header")[place];
    const format = header instanceof SandboxElement ? header.readText("format") : "";
    return format === "numeric" || format === "currency";
  }
}

export class Table extends View {
  update(): void {
    const { host } = this;
    this.root.innerHTML = `<style>
        :host { display: block } .wrap { overflow-x: auto } .table { display: table; inline-size: 100%; border-collapse: collapse } nav { display: flex; gap: 8px; justify-content: center; padding: 8px }
        slot[name="filters"] { display: block } button { min-block-size: 36px; padding-inline: 12px; border: 1px solid var(--line-field); border-radius: 8px; background: var(--surface); color: var(--text); cursor: pointer } button:disabled { color: var(--text-subdued); cursor: default }
      </style>
      <slot name="filters"></slot>
      <div class="wrap" tabindex="0" role="region" aria-label="Table"><div class="table" role="table" aria-busy="${host.readFlag("loading")}"><slot></slot></div></div>
      ${host.readFlag("paginate") ? '<nav aria-label="Pages"><button class="previous">Previous</button><button class="next">Next</button></nav>' : ""}`;
    const pages = [
      [".previous", "previouspage", "hasPreviousPage"],
      [".next", "nextpage", "hasNextPage"],
    ] as const;
    for (const [selector, event, property] of pages) {
      const button = this.root.querySelector<HTMLButtonElement>(selector);
      if (!button) continue;
      button.disabled = !host.readFlag(property);
      button.addEventListener("click", () => host.emitEvent(event));
    }
  }

  override childrenChanged(): void {
    // The row of headers stands outside the body; a table of roles wants it in a group.
    for (const child of this.host.children) {
      if (child instanceof SandboxElement && child.localName === "s-table-header-row") {
        child.style.setProperty("display", "table-row");
      }
    }
  }
}
