/**
 * Answers a program that asks what an address has, or takes, before it is opened (HEAD, OPTIONS), as previews and scanners of links do. The ticket in the
 * address opens once, and stays for whoever opens it. Nothing is told of the ticket.
 */
export const lookedAt = (contentType: string): Response =>
  new Response(null, {
    headers: {
      "Content-Type": contentType,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Referrer-Policy": "no-referrer",
    },
  });
