/**
 * Returns the service's permanent refusal, or null for a failure of another kind. Looks at the error's shape: its
 * class is not the same in every bundle (docs/decisions/0002).
 */
export function serviceRefusal(error: unknown): "rejected" | "not_found" | null {
  const failure = error instanceof Error && "failure" in error ? error.failure : null;
  return failure === "rejected" || failure === "not_found" ? failure : null;
}
