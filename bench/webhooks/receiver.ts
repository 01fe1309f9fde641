// The receiver of the webhook benchmark, as lean as can be: it reads just enough HTTP to answer. Listens on every loopback address,
// so that each endpoint can be a host of its own; paths below /hang never get an answer. Remembers when each resource first arrived;
// GET /report answers that and forgets it. Prints its port.

import { type AddressInfo, createServer, type Socket } from "node:net";

let arrivals: [string, number][] = [];

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

const server = createServer({ noDelay: true }, (socket) => {
  let text = "";
  socket.setEncoding("latin1");
  socket.on("error", () => undefined);
  socket.on("data", (chunk: string) => {
    text += chunk;
    for (;;) {
      const head = text.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head + 2))?.[1] ?? 0);
      const end = head + 4 + length;
      if (text.length < end) return;
      answer(socket, text.slice(0, head), text.slice(head + 4, end));
      text = text.slice(end);
    }
  });
});

function answer(socket: Socket, head: string, body: string): void {
  if (head.startsWith("GET /report")) {
    const report = JSON.stringify(arrivals);
    arrivals = [];
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${report.length}\r\n\r\n${report}`,
    );
  } else if (!head.startsWith("POST /hang")) {
    const start = body.indexOf('"Sid":"') + 7;
    arrivals.push([body.slice(start, body.indexOf('"', start)), performance.timeOrigin + performance.now()]);
    socket.write(OK);
  }
}

server.listen(0, "0.0.0.0", () => console.log((server.address() as AddressInfo).port));
