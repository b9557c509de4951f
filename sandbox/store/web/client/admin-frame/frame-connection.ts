import {
  type BridgeCalls,
  type BridgeEvent,
  type BridgeEvents,
  type BridgeMessage,
  type BridgeMethod,
  CHANNEL,
  readMessage,
} from "../bridge-protocol.ts";

export type BridgeHandlers = {
  [Method in BridgeMethod]: (
    parameters: BridgeCalls[Method][0],
  ) => BridgeCalls[Method][1] | Promise<BridgeCalls[Method][1]>;
};

/** The frame's end of the line to the app: hears only the app's window, and only under the app's origin. */
export class FrameConnection {
  readonly #frame: HTMLIFrameElement;
  readonly #appOrigin: string;
  readonly #handlers: BridgeHandlers;

  constructor(frame: HTMLIFrameElement, appOrigin: string, handlers: BridgeHandlers) {
    this.#frame = frame;
    this.#appOrigin = appOrigin;
    this.#handlers = handlers;
    window.addEventListener("message", (message) => this.#receive(message));
  }

  emit<Name extends BridgeEvent>(event: Name, detail: BridgeEvents[Name]): void {
    this.#send({ channel: CHANNEL, kind: "event", event, detail });
  }

  #receive(received: MessageEvent): void {
    if (received.source !== this.#frame.contentWindow || received.origin !== this.#appOrigin)
      return;
    const message = readMessage(received.data);
    if (message?.kind !== "call") return;
    const handler = this.#handlers[message.method] as
      | ((parameters: unknown) => unknown)
      | undefined;
    const { id } = message;
    Promise.resolve()
      .then(() => {
        if (!handler) throw new Error(`The admin frame knows no ${message.method}`);
        return handler(message.parameters);
      })
      .then(
        (result) => this.#send({ channel: CHANNEL, kind: "answer", id, result }),
        (error: Error) =>
          this.#send({ channel: CHANNEL, kind: "failure", id, message: error.message }),
      );
  }

  #send(message: BridgeMessage): void {
    this.#frame.contentWindow?.postMessage(message, this.#appOrigin);
  }
}
