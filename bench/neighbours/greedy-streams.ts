// The greedy account's readers of its events. Arguments: URL, authorization, how many events there are at least. Says
// when all streams are open, and ends when the other side disconnects.

import { connect } from "node:net";

const STREAMS = 20;
const PAUSE_MS = 20;
const [url, authorization, logged] = process.argv.slice(2) as [string, string, string];
const { hostname, port } = new URL(url);

/** Opens a stream from the beginning of the log; a reader begins again when it has read all of it. */
function open(isReading: boolean, opened: () => void): void {
  const socket = connect(Number(port), hostname);
  let events = 0;
  socket.write(
    `GET /v1/Events/stream?LastEventId=0-0 HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  socket.once("data", opened);
  socket.on("data", (chunk: Buffer) => {
    if (!isReading) {
      socket.pause();
      return;
    }
    const text = chunk.toString("latin1");
    events += text.split("\nevent: ").length - 1;
    // Refused: the stream before it counts for a moment longer.
    if (events >= Number(logged) || text.startsWith("HTTP/1.1 409")) socket.destroy();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => setTimeout(() => open(isReading, () => undefined), PAUSE_MS));
}

const all = Array.from({ length: STREAMS }, (_, at) => new Promise<void>((opened) => open(at % 2 === 0, opened)));
process.on("disconnect", () => process.exit(0));
await Promise.all(all);
process.send?.("open");
