import type { Words } from "../../modules/kernel/words.ts";
import { tellFailure } from "../feedback/failure-banner.tsx";

/**
 * Fetches a file and hands it to the browser to save. A link would not do: the sign-in is a header that App
 * Bridge adds to fetches, and never a part of an address.
 */
export async function downloadFile(path: string, name: string): Promise<void> {
  // No answer is told like a bad one.
  const answer = await fetch(path).catch(() => null);
  if (answer?.ok) save(await answer.blob(), name);
  else tellFailure(await whyNot(answer));
}

/** The same for a download that is recorded, and so is asked for with a form. Returns what is wrong with the form. */
export async function saveFile(
  path: string,
  form: FormData,
  name: string,
): Promise<Record<string, string>> {
  // No answer is told like a bad one.
  const answer = await fetch(path, { method: "POST", body: form }).catch(() => null);
  if (answer?.status === 422) {
    const { errors = {} }: { errors?: Record<string, string> } = await answer.json();
    return errors;
  }
  if (answer?.ok) save(await answer.blob(), name);
  else tellFailure(await whyNot(answer));
  return {};
}

/** Trying again helps against anything but a role that was taken away meanwhile. */
async function whyNot(answer: Response | null): Promise<string> {
  if (answer?.status !== 403) return "The file couldn’t be fetched. Try again.";
  const { sentence, nextStep }: Words = await answer.json();
  return `${sentence} ${nextStep}`;
}

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
