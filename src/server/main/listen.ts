// Starts listening. A stop ends idle connections immediately, and the others when their requests end or the time
// allowed for them is over.

import type { AddressInfo } from "node:net";
import type { HttpServer } from "../../adapters/http/core/http-server.ts";
import type { Config } from "../config/config.ts";
import type { Part } from "../running/part.ts";
import { stopTimes } from "../running/stop-times.ts";

export async function listen(http: HttpServer, config: Config): Promise<Part> {
  const { TANDEM_HOST: host, TANDEM_PORT: port } = config.settings;
  try {
    await http.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(
      `Port ${port} on ${host} is taken by another program: stop it, or set TANDEM_PORT to another port (0 for any free one).`,
    );
  }
  return {
    name: "HTTP",
    leave: () => http.leave(),
    async drain() {
      const timer = setTimeout(() => http.cutConnections(), stopTimes(config.settings).workMs);
      await http.close();
      clearTimeout(timer);
    },
  };
}

export function portOf(http: HttpServer): number {
  return (http.server.address() as AddressInfo).port;
}

/** The server's URL for callers on this machine. */
export function localUrl(http: HttpServer, config: Config): string {
  const { TANDEM_HOST: host } = config.settings;
  const isLocal = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host);
  const name = isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `${config.tls ? "https" : "http"}://${name}:${portOf(http)}`;
}
