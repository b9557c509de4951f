/** The attributes that tie a field to its fault and to its hint. */
export function faultOf(field: string, error: string | undefined, hint?: string) {
  const described = [error ? `${field}-error` : null, hint ?? null].filter(Boolean).join(" ");
  return {
    "aria-invalid": error ? true : undefined,
    "aria-describedby": described || undefined,
  };
}

/** The fault of a field, under it. */
export function Fault({ field, error }: { field: string; error: string | undefined }) {
  return error ? (
    <p className="pw-error" id={`${field}-error`}>
      {error}
    </p>
  ) : null;
}
