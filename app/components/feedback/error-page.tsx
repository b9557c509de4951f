import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { describeError, thrownDescription } from "./describe-error.ts";
import { useAgain } from "./use-again.ts";

/** An error in plain HTML, for where Polaris is not at hand. */
export function ErrorPage() {
  const error = useRouteError();
  const thrown = thrownDescription(error);
  useAgain(thrown ?? {});
  const { title, sentence, nextStep } =
    thrown ?? describeError(isRouteErrorResponse(error) ? error.status : 500);
  return (
    <main style={{ fontFamily: "system-ui, sans-serif", maxWidth: "40rem", margin: "4rem auto" }}>
      <h1>{title}</h1>
      <p>{sentence}</p>
      <p>{nextStep}</p>
    </main>
  );
}
