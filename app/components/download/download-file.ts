import { appBridge } from "../document/app-bridge.ts";

/**
 * Fetches a file and hands it to the browser to save. A link would not do: the sign-in is a header that App
 * Bridge adds to fetches, and never a part of an address.
 */
export async function downloadFile(path: string, name: string): Promise<void> {
  // No answer is told like a bad one.
  const answer = await fetch(path).catch(() => null);
  if (!answer?.ok) {
    appBridge()?.toast.show("The file couldn’t be fetched. Try again.", { isError: true });
    return;
  }
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
