/** The address of the inbox for one kind of reason, or all, and of a page of it. */
export function attentionAddress(
  reason: string | null,
  page: { after?: string | null; before?: string | null } = {},
): string {
  const entries = Object.entries({ reason, ...page }).flatMap(([name, value]) =>
    value ? [[name, value]] : [],
  );
  const query = new URLSearchParams(entries);
  return query.size > 0 ? `/app/attention?${query}` : "/app/attention";
}
