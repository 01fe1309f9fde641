// Instead of links and routes where the config file has none: what to write into it.

import { Code } from "../../components/code.tsx";
import { Empty } from "../../components/page.tsx";

const SAMPLE = JSON.stringify(
  {
    carriers: [
      { name: "acme", smpp: [{ name: "acme-1", host: "smsc.example", port: 2775, systemId: "you", password: "…" }] },
    ],
  },
  null,
  2,
);

export function NoWays({ what }: { readonly what: string }) {
  return (
    <Empty what={what} why="The config file names no carrier and no trunk. TANDEM_CONFIG says which file it is:">
      <Code label="Config file" language="json" text={SAMPLE} />
    </Empty>
  );
}
