/**
 * Returns the address that dials a number as somebody wrote it, by Australia's rules where it names no other country. Null
 * where the text is not clearly one whole number: words, an extension or a second number would be dialled along, and ring a
 * stranger. After +61 a 0 is left out. For other countries a bracketed 0 stays in doubt, as their rules differ.
 */
export function dialAddress(written: string): string | null {
  const digits = written
    .replace(/[\s.-]|\((?!0\))|(?<!\(0)\)/g, "")
    .replace(/^\+61(0|\(0\))/, "+61");
  return /^(000|(0|\+61)[2-578]\d{8}|(\+61)?1([38]00\d{6}|3[1-9]\d{3})|\+(?!61)\d{8,15})$/.test(
    digits,
  )
    ? `tel:${digits}`
    : null;
}
