import { SandboxElement } from "../sandbox-element.ts";
import { FieldView, type NativeField, setOrRemove } from "./field-frame.ts";

/** A line of text of some native kind. */
abstract class InputView extends FieldView {
  abstract readonly type: string;

  create(): NativeField {
    const input = document.createElement("input");
    input.type = this.type;
    return input;
  }
  sync(control: NativeField): void {
    if (!(control instanceof HTMLInputElement)) return;
    const { host } = this;
    control.readOnly = host.readFlag("readOnly");
    for (const [name, property] of [
      ["placeholder", "placeholder"],
      ["maxlength", "maxLength"],
      ["minlength", "minLength"],
      ["min", "min"],
      ["max", "max"],
      ["step", "step"],
    ] as const) {
      setOrRemove(control, name, host.readText(property));
    }
  }
}

export class TextField extends InputView {
  override readonly type = "text";
}
export class EmailField extends InputView {
  override readonly type = "email";
}
export class PhoneField extends InputView {
  override readonly type = "tel";
}
export class UrlField extends InputView {
  override readonly type = "url";
}
export class PasswordField extends InputView {
  override readonly type = "password";
}
export class SearchField extends InputView {
  override readonly type = "search";
}
export class NumberField extends InputView {
  override readonly type = "number";
}
export class MoneyField extends InputView {
  override readonly type = "number";
  override prefix(): string {
    return this.host.readText("currencyCode") || "$";
  }
}
export class ColorField extends InputView {
  override readonly type = "color";
}

/** A field without a label of its own. */
export class ColorPicker extends ColorField {
  override sync(control: NativeField): void {
    super.sync(control);
    control.setAttribute("aria-label", "Colour");
  }
}

/** A day, `2026-11-20`. The limits are those of `allow` and `disallow` that one range can say. */
export class DateField extends InputView {
  override readonly type = "date";
  override sync(control: NativeField): void {
    super.sync(control);
    const range = /^(\d{4}-\d{2}-\d{2})?--(\d{4}-\d{2}-\d{2})?$/.exec(this.host.readText("allow"));
    setOrRemove(control, "min", range?.[1] ?? "");
    setOrRemove(control, "max", range?.[2] ?? "");
  }
}

/** Files cannot travel into the worker here; the extension hears of their names. */
export class DropZone extends InputView {
  override readonly type = "file";
  override sync(control: NativeField): void {
    if (!(control instanceof HTMLInputElement)) return;
    control.multiple = this.host.readFlag("multiple");
    setOrRemove(control, "accept", this.host.readText("accept"));
    setOrRemove(control, "aria-label", this.host.readText("accessibilityLabel"));
  }
}

export class TextArea extends FieldView {
  create(): NativeField {
    return document.createElement("textarea");
  }
  sync(control: NativeField): void {
    if (!(control instanceof HTMLTextAreaElement)) return;
    control.readOnly = this.host.readFlag("readOnly");
    control.rows = Number(this.host.readText("rows")) || 3;
    setOrRemove(control, "placeholder", this.host.readText("placeholder"));
    setOrRemove(control, "maxlength", this.host.readText("maxLength"));
  }
}

/** A native select whose options follow the `s-option` and `s-option-group` children. */
export class Select extends FieldView {
  #select: HTMLSelectElement | null = null;

  create(): NativeField {
    this.#select = document.createElement("select");
    this.#drawOptions(this.#select);
    return this.#select;
  }
  sync(): void {}

  override childrenChanged(): void {
    const select = this.#select;
    if (!select) return;
    const chosen = select.value;
    this.#drawOptions(select);
    select.value = chosen;
    this.restoreValue(select);
  }

  #drawOptions(select: HTMLSelectElement): void {
    const placeholder = this.host.readText("placeholder");
    const hint = new Option(placeholder, "");
    hint.hidden = !placeholder;
    select.replaceChildren(hint, ...nativeOptions(this.host));
    if (this.host.held.value === undefined) {
      const preset = [...this.host.querySelectorAll("s-option")].find(
        (option) =>
          option instanceof SandboxElement &&
          (option.readFlag("selected") || option.readFlag("defaultSelected")),
      );
      if (preset instanceof SandboxElement) select.value = preset.readText("value");
    }
  }
}

function nativeOptions(parent: Element): HTMLElement[] {
  return [...parent.children].flatMap((child) => {
    if (!(child instanceof SandboxElement)) return [];
    if (child.localName === "s-option-group") {
      const group = document.createElement("optgroup");
      group.label = child.readText("label");
      group.disabled = child.readFlag("disabled");
      group.append(...nativeOptions(child));
      return [group];
    }
    if (child.localName !== "s-option") return [];
    const text = child.textContent?.trim() ?? "";
    const option = new Option(text, child.readText("value") || text);
    option.disabled = child.readFlag("disabled");
    return [option];
  });
}
