import type { PickerRequest } from "../bridge-protocol.ts";
import { make, post } from "./dom.ts";

interface PickerVariant {
  id: string;
  title: string;
  price: string;
}
interface PickerProduct {
  id: string;
  title: string;
  variants: PickerVariant[];
}

/** The picker's dialog. Resolves to the chosen products or variants, or null when it was closed. */
export async function openResourcePicker(
  apiPath: string,
  request: PickerRequest,
): Promise<unknown[] | null> {
  const selected = new Set(request.selectedIds);
  const known = new Map<string, PickerProduct>();
  const limit = request.multiple === true ? Infinity : request.multiple || 1;
  const byVariant = request.type === "variant";

  const rows = make("div", { class: "picker-rows" });
  const count = make("p", { class: "picker-count", role: "status" });
  const search = make("input", {
    type: "search",
    "aria-label": "Search products",
    placeholder: "Search products",
    value: request.query,
  });
  const boxes = new Map<string, HTMLInputElement>();

  /** Brings the boxes in line with the selection, in place: rebuilding would lose the keyboard's place. */
  const refresh = () => {
    const number = [...known.values()].reduce((sum, product) => {
      if (!byVariant) return sum + Number(isChosen(product, selected));
      return sum + product.variants.filter((variant) => selected.has(variant.id)).length;
    }, 0);
    for (const [id, box] of boxes) {
      box.checked = selected.has(id);
      box.disabled = limit > 1 && number >= limit && !box.checked;
    }
    count.textContent = `${number} selected`;
  };

  const option = (id: string, label: string, productId: string) => {
    const box = make("input", {
      type: "checkbox",
      change: () => {
        if (box.checked && limit === 1) {
          // One product may still bring several of its variants.
          const kept = byVariant ? [] : (known.get(productId)?.variants.map((v) => v.id) ?? []);
          for (const other of [...selected]) if (!kept.includes(other)) selected.delete(other);
        }
        if (box.checked) selected.add(id);
        else selected.delete(id);
        refresh();
      },
    });
    boxes.set(id, box);
    return make("label", { class: "picker-option" }, box, make("span", {}, label));
  };

  const drawProduct = (product: PickerProduct) => {
    const variants = product.variants.map((variant) =>
      make("li", {}, option(variant.id, `${variant.title} · $${variant.price}`, product.id)),
    );
    const several = byVariant || (request.showVariants && product.variants.length > 1);
    return make(
      "div",
      { class: "picker-product" },
      byVariant
        ? make("p", { class: "picker-option" }, product.title)
        : option(product.id, product.title, product.id),
      ...(several ? [make("ul", {}, ...variants)] : []),
    );
  };

  const load = async () => {
    const products = await post<PickerProduct[]>(`${apiPath}/products`, { query: search.value });
    known.clear();
    boxes.clear();
    for (const product of products) known.set(product.id, product);
    rows.replaceChildren(...products.map(drawProduct));
    if (products.length === 0) rows.append(make("p", { class: "quiet" }, "No products match."));
    refresh();
  };
  search.addEventListener("input", () => void load());
  // Enter would press the form's first button and close the picker.
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });

  const verb = request.action === "select" ? "Select" : "Add";
  const dialog = make(
    "dialog",
    { class: "dialog", "aria-label": `${verb} products` },
    make(
      "form",
      { method: "dialog" },
      make("div", { class: "dialog-head" }, make("h2", {}, `${verb} products`)),
      make("div", { class: "dialog-body" }, search, rows),
      make(
        "div",
        { class: "dialog-foot" },
        count,
        make("button", { class: "button", value: "cancel", formnovalidate: true }, "Cancel"),
        make("button", { class: "button primary", value: "ok" }, verb),
      ),
    ),
  );
  await load();
  document.body.append(dialog);
  dialog.showModal();
  search.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const products = [...known.values()];
      dialog.remove();
      if (dialog.returnValue !== "ok") resolve(null);
      else if (byVariant) {
        resolve(products.flatMap((product) => product.variants.filter((v) => selected.has(v.id))));
      } else {
        resolve(
          products
            .filter((product) => isChosen(product, selected))
            .map((product) => ({ ...product, variants: chosenVariants(product, selected) })),
        );
      }
    });
  });
}

function isChosen(product: PickerProduct, selected: Set<string>): boolean {
  return selected.has(product.id) || product.variants.some((variant) => selected.has(variant.id));
}

/** A product chosen as a whole brings all its variants. */
function chosenVariants(product: PickerProduct, selected: Set<string>): PickerVariant[] {
  const some = product.variants.filter((variant) => selected.has(variant.id));
  return some.length > 0 ? some : product.variants;
}
