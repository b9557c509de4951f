import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { describeError, thrownDescription } from "./describe-error.ts";
import { useAgain } from "./use-again.ts";

// Polaris's style sheet may be there without its components: it takes the sizes and margins of a browser away.
const PAGE = {
  ...{ fontFamily: "system-ui, sans-serif", fontSize: "1rem", lineHeight: 1.5 },
  ...{
    maxWidth: "40rem",
    margin: "0 auto",
    padding: "3rem 1.25rem",
    display: "grid",
    gap: "0.75rem",
  },
};
const HEADING = { fontSize: "1.5rem", lineHeight: 1.25, fontWeight: 650, margin: 0 };
const SENTENCE = { fontSize: "inherit", margin: 0 };

/** An error in plain HTML, for where Polaris is not at hand. */
export function ErrorPage() {
  const error = useRouteError();
  const thrown = thrownDescription(error);
  useAgain(thrown ?? {});
  const { title, sentence, nextStep } =
    thrown ?? describeError(isRouteErrorResponse(error) ? error.status : 500);
  return (
    <main style={PAGE}>
      <h1 style={HEADING}>{title}</h1>
      <p style={SENTENCE}>{sentence}</p>
      <p style={SENTENCE}>{nextStep}</p>
    </main>
  );
}
