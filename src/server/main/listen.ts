// Starts listening. A stop ends idle connections at once and the others when their requests end, or when the time for
// them is over.

import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import type { Part } from "../running/part.ts";
import { stopTimes } from "../running/stop-times.ts";

export async function listen(app: FastifyInstance, config: Config): Promise<Part> {
  const { TANDEM_HOST: host, TANDEM_PORT: port } = config.settings;
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new Error(
      `Port ${port} on ${host} is taken by another program: stop it, or set TANDEM_PORT to another port (0 for any free one).`,
    );
  }
  return {
    name: "HTTP",
    async drain() {
      const timer = setTimeout(() => app.cutConnections(), stopTimes(config.settings).workMs);
      await app.close();
      clearTimeout(timer);
    },
  };
}

export function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

/** Where it listens, as a caller on this machine writes it. */
export function localUrl(app: FastifyInstance, config: Config): string {
  const { TANDEM_HOST: host } = config.settings;
  const isLocal = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host);
  const name = isLocal ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `${config.tls ? "https" : "http"}://${name}:${portOf(app)}`;
}
