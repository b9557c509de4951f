const plainFetch = globalThis.fetch;

/**
 * By a connection of its own: one that rested may be closed by its server at the moment in which a busy machine uses it again, and the
 * call then ends without an answer. Says which call that was where it does.
 */
async function fetchAnew(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : {}));
  headers.set("connection", "close");
  try {
    return await plainFetch(input, { ...init, headers });
  } catch (cause) {
    const address = input instanceof Request ? input.url : String(input);
    throw new Error(`${init.method ?? "GET"} ${address} got no answer`, { cause });
  }
}

// Files of one process share what is global (docs/decisions/0105).
if (plainFetch.name !== fetchAnew.name) globalThis.fetch = fetchAnew;
