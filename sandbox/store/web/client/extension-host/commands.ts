import { hostPageOf } from "./host-page.ts";
import { SandboxElement } from "./sandbox-element.ts";

const METHODS: Record<string, string> = {
  "--auto": "auto",
  "--show": "showOverlay",
  "--hide": "hideOverlay",
  "--toggle": "toggleOverlay",
  "--copy": "copy",
};

/** `command` and `commandFor`: one element of the extension acts upon another without any code. */
function runCommand(source: SandboxElement): void {
  const id = source.readText("commandFor");
  if (!id) return;
  const target = source.closest("[data-extension]")?.querySelector(`#${CSS.escape(id)}`);
  if (target instanceof SandboxElement)
    target.callMethod(METHODS[source.readText("command") || "--auto"] ?? "auto");
}

/** Follows a press of a button or link, after the extension has heard of the click. */
export function activate(source: SandboxElement, event: Event): void {
  event.stopPropagation();
  source.emitEvent("click");
  runCommand(source);
  const href = source.readText("href");
  const newWindow = source.readText("target") === "_blank";
  const modified = event instanceof MouseEvent && (event.ctrlKey || event.metaKey);
  if (href && !newWindow && !modified) {
    event.preventDefault();
    hostPageOf(source)?.navigate(href, false);
  }
  if (source.readText("type") === "submit") submitFormOf(source);
}

/** Sends the `s-form` around an element; it is not a native form, as its fields live in shadow roots of their own. */
function submitFormOf(source: Element): void {
  const form = source.closest<SandboxElement>("s-form");
  if (form && !form.readFlag("disabled")) form.emitEvent("submit");
}
