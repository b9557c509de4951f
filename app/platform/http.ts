/**
 * Node's HTTP, as it is. An import of `node:http` reads each of its names, of which three (`WebSocket` is one) load an HTTP client
 * that nobody here uses: 20 ms of each start (docs/decisions/0149).
 */
const http = process.getBuiltinModule("node:http");

export const { createServer, ServerResponse, Agent, request } = http;
