// The files that came with an order, such as the letter of authorisation.

import type { OwnedPortOrder, PortDocument } from "@tandem/sdk";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/page.tsx";
import { saveFile } from "../../components/save-file.ts";
import { toast } from "../../components/toast.tsx";

async function save(sid: string, { place, name, contentType }: PortDocument): Promise<void> {
  const { data } = await operator.portOrders.document(sid, place);
  saveFile(name, [new Uint8Array(data)], contentType);
}

export function PortDocuments({ order: { sid, documents } }: { readonly order: OwnedPortOrder }) {
  return (
    <Section title="Documents" count={documents.length}>
      <ul className="operator-rows">
        {documents.map((file) => (
          <li key={file.place}>
            <span className="cut">{file.name}</span>
            <span className="dim num">
              {file.pageCount} {file.pageCount === 1 ? "page" : "pages"}, {Math.ceil(file.sizeBytes / 1024)} KB
            </span>
            <Button
              small
              onClick={() => void save(sid, file).catch((error: unknown) => toast.problem("Not saved.", error))}
            >
              Save<span className="vh"> {file.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
