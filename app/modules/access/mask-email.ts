/** `n•••@example.com`: enough to know one's own address, too little to learn one. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(Math.max(at, 1))}`;
}
