/** The attributes that tie a field to its fault and to its hint. */
export function faultOf(field: string, error: string | undefined, hint?: string) {
  const described = [error ? `${field}-error` : null, hint ?? null].filter(Boolean).join(" ");
  return {
    "aria-invalid": error ? true : undefined,
    "aria-describedby": described || undefined,
  };
}

/** Has the page of one question begin at its field where that was refused: its fault is then heard, and it is typed anew. */
export const beginHere = (isRefused: boolean) => (isRefused ? { autoFocus: true } : {});

/** The fault of a field, under it. */
export function Fault({ field, error }: { field: string; error: string | undefined }) {
  return error ? (
    <p className="pw-error" id={`${field}-error`}>
      {error}
    </p>
  ) : null;
}
