/**
 * Reads the address of a database; null for what is none. One without a host (`postgresql://user:password@/name?host=/run/…`),
 * which names a socket of this machine, is none to the standard of addresses when it has a user.
 */
export function readDatabaseAddress(text: string): URL | null {
  const withHost = text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)\//i, "$1socket/");
  return /^postgres(ql)?:\/\//i.test(text) && URL.canParse(withHost) ? new URL(withHost) : null;
}
