// The PINs of an order. Showing them is written to the audit log, so they are shown only on request.

import type { PortPins as Pins } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/page.tsx";
import { PhoneNumber } from "../../components/phone-number.tsx";
import { useAction } from "../../components/use-action.ts";

export function PortPins({ sid }: { readonly sid: string }) {
  const [shown, setShown] = useState<Pins["pins"]>();
  const reveal = useAction({
    run: () => operator.portOrders.revealPins(sid),
    onDone: ({ data }) => setShown(data.pins),
    failed: "Not shown.",
  });
  return (
    <Section title="PINs">
      <div className="operator-block">
        <p className="mid">The losing carrier asks for them. That you have seen them is entered in the audit log.</p>
        {shown === undefined && (
          <Button busy={reveal.isPending} onClick={() => reveal.start()}>
            Reveal the PINs
          </Button>
        )}
        {shown?.length === 0 && <p className="mid">The order has none.</p>}
      </div>
      <ul className="operator-rows" aria-label="PINs">
        {shown?.map(({ number, pin }) => (
          <li key={number}>
            <PhoneNumber value={number} />
            <b className="mono strong">{pin}</b>
          </li>
        ))}
      </ul>
    </Section>
  );
}
