import type { Words } from "../../modules/kernel/words.ts";
import { tellFailure } from "../feedback/failure-banner.tsx";

/**
 * Fetches a file and hands it to the browser to save. A link would not do: the sign-in is a header that App
 * Bridge adds to fetches, and never a part of an address.
 */
export async function downloadFile(path: string, name: string): Promise<void> {
  const content = await fetchFile(path);
  if (typeof content === "string") tellFailure(content);
  else save(content, name);
}

/** Fetches a file; a text says why there is none. One that breaks off in the middle is none. */
export async function fetchFile(path: string): Promise<Blob | string> {
  return contentOf(await ask(path));
}

/** The same for a download that is recorded, and so is asked for with a form. Returns what is wrong with the form. */
export async function saveFile(
  path: string,
  form: FormData,
  name: string,
): Promise<Record<string, string>> {
  const answer = await ask(path, { method: "POST", body: form });
  if (answer?.status === 422) {
    const { errors = {} }: { errors?: Record<string, string> } = await answer.json();
    return errors;
  }
  const content = await contentOf(answer);
  if (typeof content === "string") tellFailure(content);
  else save(content, name);
  return {};
}

// No answer is told like a bad one.
const ask = (path: string, init?: RequestInit) => fetch(path, init).catch(() => null);

async function contentOf(answer: Response | null): Promise<Blob | string> {
  // A file that breaks off is told like no answer.
  const content = answer?.ok ? await answer.blob().catch(() => null) : null;
  return content ?? (await whyNot(answer));
}

const AGAIN = "The file couldn’t be fetched. Try again.";

/** Trying again helps against anything but a role that was taken away meanwhile. */
async function whyNot(answer: Response | null): Promise<string> {
  if (answer?.status !== 403) return AGAIN;
  // A refusal that is not Pathway's own has other words, or none.
  const words: Words | null = await answer.json().catch(() => null);
  return words ? `${words.sentence} ${words.nextStep}` : AGAIN;
}

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
