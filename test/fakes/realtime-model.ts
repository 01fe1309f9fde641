// A speech-to-speech model as its client sees it: OpenAI's realtime protocol over a WebSocket. The test decides what
// the model says, and when it hears that the caller speaks.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

/** Of µ-law: the model speaks in parts of 400 ms, and sends them at once. */
const DELTA_OCTETS = 3_200;

interface ClientEvent {
  readonly type: string;
  readonly audio?: string;
  readonly audio_end_ms?: number;
}

export class RealtimeModel {
  readonly #server: WebSocketServer;
  #socket: WebSocket | undefined;
  #heard: Buffer[] = [];
  #events = 0;
  #responses = 0;
  /** Where what the model had said was cut off, in milliseconds. */
  readonly truncations: number[] = [];

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on("connection", (socket) => this.#talk(socket));
  }

  static async start(): Promise<RealtimeModel> {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    await once(server, "listening");
    return new RealtimeModel(server);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/realtime`;
  }

  /** The last octets of µ-law that it was sent. */
  heard(octets: number): Buffer {
    return Buffer.concat(this.#heard).subarray(-octets);
  }

  say(octets: Uint8Array): void {
    const number = ++this.#responses;
    const response_id = `resp_${number}`;
    const item = { id: `item_${number}`, object: "realtime.item", type: "message", role: "assistant" };
    const place = { response_id, item_id: item.id, output_index: 0, content_index: 0 };
    const response = { id: response_id, object: "realtime.response", metadata: null };
    this.#send("response.created", { response: { ...response, status: "in_progress", output: [] } });
    const added = { ...item, status: "in_progress", content: [] };
    this.#send("response.output_item.added", { response_id, output_index: 0, item: added });
    for (let at = 0; at < octets.length; at += DELTA_OCTETS) {
      const delta = Buffer.from(octets.subarray(at, at + DELTA_OCTETS)).toString("base64");
      this.#send("response.output_audio.delta", { ...place, delta });
    }
    this.#send("response.output_audio.done", place);
    const said = { ...item, status: "completed", content: [{ type: "output_audio", transcript: "" }] };
    this.#send("response.output_item.done", { response_id, output_index: 0, item: said });
    this.#send("response.done", { response: { ...response, status: "completed", output: [said] } });
  }

  /** The caller speaks: an agent falls silent. */
  hearSpeech(): void {
    this.#send("input_audio_buffer.speech_started", { audio_start_ms: 0, item_id: "item_caller" });
  }

  close(): void {
    this.#socket?.terminate();
    this.#server.close();
  }

  #talk(socket: WebSocket): void {
    this.#socket = socket;
    this.#heard = [];
    socket.on("message", (data: Buffer) => this.#take(JSON.parse(data.toString()) as ClientEvent));
    this.#send("session.created", { session: { id: "sess_1", object: "realtime.session", type: "realtime" } });
  }

  #take({ type, audio, audio_end_ms, ...others }: ClientEvent & { readonly session?: object }): void {
    if (type === "session.update") this.#send("session.updated", { session: { id: "sess_1", ...others.session } });
    if (type === "input_audio_buffer.append") this.#heard.push(Buffer.from(audio ?? "", "base64"));
    if (type === "conversation.item.truncate") this.truncations.push(audio_end_ms ?? 0);
  }

  #send(type: string, content: object): void {
    this.#socket?.send(JSON.stringify({ type, event_id: `event_${++this.#events}`, ...content }));
  }
}
