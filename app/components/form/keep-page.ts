import type { ClientActionFunctionArgs, ShouldRevalidateFunction } from "@remix-run/react";
import { tellFailure } from "../feedback/failure-banner.tsx";
import { isAnswer } from "../loading/looks.ts";
import type { FormAnswer } from "./form-answer.ts";

const UNANSWERED =
  "Pathway didn’t answer, so it isn’t known whether that was done. Your page is as you left it. Check your connection, then try again.";

/** Longer than a body may take to arrive and its answer to be made. The save bar is busy until then. */
export const UNANSWERED_AFTER_MS = 60_000;

/**
 * Sends a page's form, and keeps the page where no answer comes: a line that broke or hangs, a server that failed or a proxy
 * in between. Remix would put its error page in the place of everything that was typed. An answer that says why, such as that
 * somebody may not, is passed on.
 */
export async function keepPage({ request, serverAction }: ClientActionFunctionArgs) {
  // Read before it is sent: a body can be read once.
  const fields = await request.clone().formData();
  try {
    return await answered(serverAction());
  } catch (error) {
    if (isAnswer(error) || request.signal.aborted) throw error;
    tellFailure(UNANSWERED);
    const form = String(fields.get("intent") ?? "");
    const answer: FormAnswer = { form, errors: { unanswered: UNANSWERED }, toastIsError: true };
    // As an error, so that `rereadAnswered` does not read the page again.
    return Response.json(answer, { status: 503 });
  }
}

/** The answer, or an error once it is not to be waited for any more: a line can hang for hours, and the save bar with it. */
async function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), UNANSWERED_AFTER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads a page again after its form, except where no answer came: over the same line that would fail as well, and the error page
 * would stand in the place of what was typed. Every route whose `clientAction` is `keepPage` says so: Remix reads any other again.
 */
export const rereadAnswered: ShouldRevalidateFunction = ({
  actionStatus = 200,
  defaultShouldRevalidate,
}) => defaultShouldRevalidate && actionStatus < 500;
