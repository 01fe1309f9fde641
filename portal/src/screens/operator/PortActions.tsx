// Manual steps of a port order: the date, completion, an exception or a rejection, for selected numbers or for all.

import { type OwnedPortOrder, PORT_REASON_CODES, type PortReasonCode } from "@tandem/sdk";
import { useState } from "react";
import { operator } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/form.tsx";
import { Section } from "../../components/page.tsx";
import { useAction } from "../../components/use-action.ts";
import { Problem } from "../../components/verdict.tsx";
import { ActionForm, Checks } from "./operator-parts.tsx";

const HALVES = ["voice", "messaging"] as const;
const ENDED: readonly string[] = ["Completed", "PartiallyCompleted", "Cancelled", "Failed"];

export function PortActions({ order }: { readonly order: OwnedPortOrder }) {
  const open = order.numbers.filter(({ status }) => !ENDED.includes(status)).map(({ number }) => number);
  const [chosen, setChosen] = useState<readonly string[]>(open);
  const props = { sid: order.sid, numbers: chosen };
  return (
    <Section title="By hand" aside="where no clearing house is connected">
      <div className="operator-block">
        <Checks legend="For these numbers" values={open} chosen={chosen} onChange={setChosen} />
      </div>
      <div className="columns columns-top">
        <ConfirmDate {...props} />
        <Complete {...props} />
        <Refuse {...props} />
      </div>
    </Section>
  );
}

interface PortActionProps {
  readonly sid: string;
  readonly numbers: readonly string[];
}

const NOUNS = ["ports", "phones", "migrations"];

function ConfirmDate({ sid, numbers }: PortActionProps) {
  const [on, setOn] = useState("");
  const agree = useAction({
    run: () => operator.portOrders.confirmDate(sid, { on: new Date(on).toISOString(), numbers }),
    nouns: NOUNS,
    done: () => "The date is agreed.",
  });
  return (
    <ActionForm
      className="operator-action"
      verb="Agree the date"
      action={agree}
      failed="Not agreed"
      ready={on !== "" && numbers.length > 0}
    >
      <TextField
        label="The losing carrier lets go on"
        type="datetime-local"
        value={on}
        onChange={setOn}
        hint="In your zone."
      />
    </ActionForm>
  );
}

function Complete({ sid, numbers }: PortActionProps) {
  const [halves, setHalves] = useState<readonly (typeof HALVES)[number][]>(HALVES);
  const complete = useAction({
    run: () => operator.portOrders.complete(sid, { halves, numbers }),
    nouns: NOUNS,
    done: () => "Completed.",
  });
  return (
    <ActionForm
      className="operator-action"
      verb="Complete them"
      action={complete}
      failed="Not completed"
      ready={halves.length > 0 && numbers.length > 0}
    >
      <Checks legend="What has moved" values={HALVES} chosen={halves} onChange={setHalves} />
    </ActionForm>
  );
}

function Refuse({ sid, numbers }: PortActionProps) {
  const [reason, setReason] = useState<PortReasonCode | "">("");
  const [detail, setDetail] = useState("");
  const refuse = useAction({
    run: (isFinal: boolean) => {
      const body = { reason: reason || ("OTHER" as const), numbers, ...(detail.trim() && { detail: detail.trim() }) };
      return isFinal ? operator.portOrders.reject(sid, body) : operator.portOrders.hold(sid, body);
    },
    nouns: NOUNS,
    done: (_, isFinal) => (isFinal ? "Rejected." : "The account is asked to put it right."),
  });
  const isReady = reason !== "" && numbers.length > 0;
  return (
    <div className="operator-form operator-action">
      <SelectField<PortReasonCode | "">
        label="What is wrong"
        options={[["", "Choose the reason"], ...PORT_REASON_CODES]}
        value={reason}
        onChange={setReason}
      />
      <TextField label="In words" value={detail} onChange={setDetail} hint="The account reads it." />
      <div className="row">
        <Button disabled={!isReady} busy={refuse.isPending} onClick={() => refuse.start(false)}>
          Ask the account
        </Button>
        <Button kind="danger" disabled={!isReady} busy={refuse.isPending} onClick={() => refuse.start(true)}>
          Reject them
        </Button>
      </div>
      {refuse.error && <Problem what="Not done" error={refuse.error} />}
    </div>
  );
}
