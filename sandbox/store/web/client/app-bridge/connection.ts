import {
  type BridgeCalls,
  type BridgeConfig,
  type BridgeEvent,
  type BridgeEvents,
  type BridgeMessage,
  type BridgeMethod,
  CHANNEL,
  readMessage,
} from "../bridge-protocol.ts";

/** The app's end of the line to the admin frame. Outside a frame every call fails, as there is nobody to ask. */
export class Connection {
  readonly config: BridgeConfig;
  readonly embedded = window.parent !== window;
  readonly #pending = new Map<
    number,
    { resolve: (result: unknown) => void; reject: (error: Error) => void }
  >();
  readonly #events = new EventTarget();
  #lastId = 0;

  constructor(config: BridgeConfig) {
    this.config = config;
  }

  /** Starts to hear the frame; again after `document.open()`, which silences every listener of the window. */
  listen(): void {
    window.addEventListener("message", this.#receive);
  }

  call<Method extends BridgeMethod>(
    method: Method,
    parameters: BridgeCalls[Method][0],
  ): Promise<BridgeCalls[Method][1]> {
    if (!this.embedded) return Promise.reject(new Error(`${method}: not inside the admin`));
    this.#lastId += 1;
    const id = this.#lastId;
    const message: BridgeMessage = { channel: CHANNEL, kind: "call", id, method, parameters };
    return new Promise((resolve, reject) => {
      this.#pending.set(id, {
        resolve: (result) => resolve(result as BridgeCalls[Method][1]),
        reject,
      });
      window.parent.postMessage(message, this.config.adminOrigin);
    });
  }

  /** A call whose answer nobody waits for. */
  tell<Method extends BridgeMethod>(method: Method, parameters: BridgeCalls[Method][0]): void {
    if (this.embedded) this.call(method, parameters).catch((error) => console.error(error));
  }

  on<Name extends BridgeEvent>(event: Name, listener: (detail: BridgeEvents[Name]) => void): void {
    this.#events.addEventListener(event, (received) => {
      if (received instanceof CustomEvent) listener(received.detail as BridgeEvents[Name]);
    });
  }

  readonly #receive = (received: MessageEvent): void => {
    if (received.source !== window.parent || received.origin !== this.config.adminOrigin) return;
    const message = readMessage(received.data);
    if (!message || message.kind === "call") return;
    if (message.kind === "event") {
      this.#events.dispatchEvent(new CustomEvent(message.event, { detail: message.detail }));
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === "answer") pending?.resolve(message.result);
    else pending?.reject(new Error(message.message));
  };
}
