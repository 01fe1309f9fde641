// `tandem operator ports document` fetches a document of a port order, and uses the account's name for the file.

import type { Command } from "commander";
import { addOperatorOptions, type OperatorCallFlags, operatorClientOf } from "../../account-options.ts";
import { given, parseCount } from "../../arguments.ts";
import { writeNew } from "../../whole-files.ts";

export function addDocumentCommand(ports: Command): void {
  const command = ports
    .command("document")
    .description("Fetch a document that came with a port order, such as the signed letter.")
    .argument("<sid>", "the order")
    .argument("[place]", "which one, from 1", parseCount, 1)
    .option("-o, --out <file>", "where to; - is standard output, SID-NAME by default")
    .option("--json", "print what was fetched as JSON");
  addOperatorOptions(command).action(
    async (sid: string, place: number, flags: OperatorCallFlags & { readonly out?: string }) => {
      const { portOrders } = operatorClientOf(flags);
      const { data: bytes } = await portOrders.document(sid, place);
      const known = (await portOrders.get(sid)).data.documents.find((each) => each.place === place);
      // The account chose the name, so it must not lead to another directory.
      const name = (known?.name ?? String(place)).replace(/[^\w.-]/g, "_");
      const path = flags.out ?? `${sid}-${name}`;
      await writeNew({ path, bytes, ...given({ about: known }), text: `: ${bytes.length} octets` }, flags);
    },
  );
}
