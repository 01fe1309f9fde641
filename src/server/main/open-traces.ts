// Traces, where the settings say where to send them. Their packages are loaded only then.

import { hostname } from "node:os";
import { Traces } from "../../adapters/traces/traces.ts";
import type { Parts } from "../running/parts.ts";
import type { DatabaseOrder } from "./connect-database.ts";

interface TracesOrder extends Pick<DatabaseOrder, "config" | "clock" | "log"> {
  readonly version: string;
}

export async function openTraces(order: TracesOrder, parts: Parts): Promise<Traces | undefined> {
  const { version, clock, log } = order;
  const { TANDEM_TRACES_URL: url, TANDEM_TRACES_SHARE: share } = order.config.settings;
  if (url === undefined || share === 0) return undefined;
  const { openOtlpSink } = await import("../../adapters/traces/otlp-sink.ts");
  const attributes = {
    "service.name": "tandem",
    "service.version": version,
    "service.instance.id": `${hostname()}:${process.pid}`,
    "host.name": hostname(),
  };
  const sink = await parts.keep("traces", Promise.resolve(openOtlpSink({ url, attributes, log })));
  return new Traces({ share, clock, sink });
}
