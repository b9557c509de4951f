import { data } from "@remix-run/node";
import type { ThrownDescription } from "./describe-error.ts";

const BUSY = {
  title: "Shopify isn’t answering",
  sentence: "Pathway couldn’t read your products from Shopify just now. Nothing is lost.",
  nextStep: "Wait a minute, then reload the page.",
};
const REFUSED = {
  title: "This page can’t be shown any more",
  sentence: "Shopify doesn’t know this part of the product list any more.",
  nextStep: "Start again from the first page.",
};

/**
 * Waits for what is read from the store and puts a failure into words. Failures are told by their code: the
 * build gives pages a copy of every class, so `instanceof` would not know them.
 */
export async function explainStore<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.startsWith("store_")) throw error;
    const isRefused = code === "store_refused";
    const description: ThrownDescription = {
      ...(isRefused ? REFUSED : BUSY),
      back: { label: "Go to Product mapping", url: "/app/mappings" },
    };
    throw data(description, { status: isRefused ? 404 : 503 });
  }
}
