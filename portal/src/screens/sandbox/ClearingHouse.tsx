// Acts as the clearing house: chooses what the losing carrier does with a port order.

import { PORT_OUTCOMES, type PortOrder, type PortOutcome } from "@tandem/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { itemsQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { CommandLine } from "../../components/command-line.tsx";
import { Form, SelectField, TextField } from "../../components/form.tsx";
import { NotLoaded } from "../../components/not-loaded.tsx";
import { Empty, Section } from "../../components/page.tsx";
import { Sid } from "../../components/sid.tsx";
import { Status } from "../../components/status.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { PORT_WORDS } from "./behaviours.ts";
import { OutcomeField } from "./OutcomeField.tsx";

const ENDED = new Set<PortOrder["status"]>(["Completed", "PartiallyCompleted", "Failed", "Cancelled"]);

const ordersQuery = itemsQuery(["ports", "sandbox"], (options) => client.portIn.list({ pageSize: 20, ...options }));

export function ClearingHouse() {
  const orders = useQuery(ordersQuery);
  const open = orders.data?.filter(({ status }) => !ENDED.has(status)) ?? [];
  return (
    <Section title="Clearing house" count={orders.data && open.length} aside="what the losing carrier does">
      {!orders.data && <NotLoaded query={orders} what="The port orders did not load" rows={1} />}
      {orders.data && open.length === 0 && (
        <Empty what="No port order is open" why="Bring a number, with any letter; then decide here what becomes of it.">
          <CommandLine words="port-in submit +13035570177 --config MC… --data order.json --file letter.pdf" />
        </Empty>
      )}
      {open.length > 0 && <Decision open={open} />}
    </Section>
  );
}

function Decision({ open }: { readonly open: readonly PortOrder[] }) {
  const [chosen, choose] = useState("");
  const [outcome, setOutcome] = useState<PortOutcome>("complete");
  const [reason, setReason] = useState("ENTITY_NAME_MISMATCH");
  const order = open.find(({ sid }) => sid === chosen) ?? open[0];
  const deciding = useAction({
    run: (sid: string) =>
      client.sandbox.decidePort({ sid, outcome, ...(outcome === "reject" && reason && { reason }) }),
    nouns: ["ports", "phones"],
    done: () => `The losing carrier decides: ${PORT_WORDS[outcome]}`,
  });
  if (!order) return null;
  return (
    <>
      {deciding.error && <Problem what="Not decided" error={deciding.error} />}
      <Form className="sandbox-switch" onSubmit={() => deciding.start(order.sid)}>
        <OrderField open={open} order={order} onChoose={choose} />
        <OutcomeField outcomes={PORT_OUTCOMES} words={PORT_WORDS} value={outcome} onChange={setOutcome} />
        {outcome === "reject" && <TextField label="Reason" className="mono" value={reason} onChange={setReason} />}
        <Button type="submit" busy={deciding.isPending}>
          Decide
        </Button>
      </Form>
    </>
  );
}

interface OrderFieldProps {
  readonly open: readonly PortOrder[];
  readonly order: PortOrder;
  readonly onChoose: (sid: string) => void;
}

function OrderField({ open, order, onChoose }: OrderFieldProps) {
  const hint = (
    <span className="row">
      <Status kind="portOrder" value={order.status} />
      <Sid value={order.sid} />
    </span>
  );
  return (
    <SelectField
      label="Port order"
      hint={hint}
      value={order.sid}
      onChange={onChoose}
      options={open.map(({ sid, numbers }) => {
        const more = numbers.length > 1 ? ` and ${numbers.length - 1} more` : "";
        return [sid, `${numbers[0]?.number}${more}`] as const;
      })}
    />
  );
}
